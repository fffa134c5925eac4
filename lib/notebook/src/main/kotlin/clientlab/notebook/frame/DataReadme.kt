package clientlab.notebook.frame

import clientlab.workloads.Metrics

/** The text of `data/README.md`: what lies where, and every column with its unit. */
internal object DataReadme {
    fun text(): String =
        buildString {
            append(HEAD)
            section("Every trial", Dictionary.columns.filter { it.kind == "trial" })
            section("Factors: what a treatment varies", Dictionary.columns.filter { it.kind == "factor" })
            Metrics.byWorkload.keys.forEach { workload ->
                section("Measured by the workload `$workload`", Dictionary.columns.filter { it.kind == workload })
            }
        }

    private fun StringBuilder.section(title: String, columns: List<ColumnMeaning>) {
        if (columns.isEmpty()) return
        append("\n## $title\n\n| column | unit | meaning |\n| --- | --- | --- |\n")
        columns.forEach { append("| `${it.name}` | ${it.unit} | ${it.meaning} |\n") }
    }

    private val HEAD =
        """
        |# Data
        |
        |`raw/<experiment>/<run>/` holds the runs made on this machine and is ignored by git. `published/<experiment>-<label>/` holds the evidence behind
        |the committed articles and is never written again. Both hold the same files, each with a `schemaVersion`:
        |
        |- `manifest.json`: the experiment with its seed, the versions of every client library, SHA-256 of every jar, Java, machine, limits, load before, commit; in newer
        |  runs also clock, governor, swap, how late timers were, the round trip on loopback, and which trials were disturbed.
        |- `trials.jsonl`: one line a trial, in the order in which they ended; warm-ups are flagged, invalid trials are kept with their reasons.
        |- `machine.jsonl`, in newer runs: one line a trial with what went on on the machine meanwhile: load, steal, processors that others kept busy, quota, swap.
        |- `carried/<client>/`, where a client was written in a cell: its classes, itself, the text of its cells and small jars of its own, each with its SHA-256
        |  in the manifest, which also names the libraries that are fetched for it.
        |- `profiles/`, where the fork's `instrument` asked for one: the stacks of each fork, compressed, one a line with its samples or bytes.
        |
        |`bench/` holds what `./lab bench` found of the delay server, a JSON file each with its environment: `measurements`, a row each, and `summary`, their medians.
        |
        |A notebook reads runs with `experiment.lastRun()` and `published("threads-2026-11")`, a row a trial; `dictionary()` is this page as a table. A number's
        |unit stands at the end of its name; where there is none it is a count. Threads are platform threads unless the name says otherwise. A number that
        |could not be taken is missing, never zero. A workload also uses the names of those above it for the same things.
        |
        |This page is made from the code; a test compares them.
        |
        """.trimMargin()
}
