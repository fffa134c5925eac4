package clientlab.notebook.frame

/** The text of `data/README.md`: which file has what, and every column with its unit. */
internal object DataReadme {
    fun text(): String =
        buildString {
            append(HEAD)
            section("Every trial", Dictionary.columns.filter { it.kind == "trial" })
            section("Factors: what a treatment varies", Dictionary.columns.filter { it.kind == "factor" })
            metrics(Dictionary.columns.filter { it.kind != "trial" && it.kind != "factor" })
        }

    private fun StringBuilder.section(title: String, columns: List<ColumnMeaning>) {
        if (columns.isEmpty()) return
        append("\n## $title\n\n| column | unit | meaning |\n| --- | --- | --- |\n")
        columns.forEach { append("| `${it.name}` | ${it.unit} | ${it.meaning} |\n") }
    }

    private fun StringBuilder.metrics(columns: List<ColumnMeaning>) {
        append("\n## Metrics\n\n| column | unit | meaning | workloads |\n| --- | --- | --- | --- |\n")
        columns.forEach { append("| `${it.name}` | ${it.unit} | ${it.meaning} | ${it.kind} |\n") }
    }

    private val HEAD =
        """
        |# Data
        |
        |`raw/<experiment>/<run>/` holds the runs made on this machine; git ignores it. `published/<experiment>-<label>/` holds the evidence behind the committed
        |articles; it is never changed. Both hold the same files. Each file has a `schemaVersion`:
        |
        |- `manifest.json`: the experiment with its seed, the versions of all client libraries, SHA-256 of every jar, Java, machine, limits, load before the run, commit.
        |  Newer runs also have clock, governor, swap, how late timers were, the round trip on loopback, and which trials were disturbed.
        |- `trials.jsonl`: one line per trial, in the order in which the trials ended. Warm-ups have a flag. Invalid trials are kept with their reasons.
        |- `machine.jsonl`, in newer runs: one line per trial with what happened on the machine meanwhile: load, steal, processors that others kept busy, quota, swap.
        |- `carried/<client>/`, if a client was written in a cell: its classes, the client itself, the text of its cells and small jars of its own. The manifest has the
        |  SHA-256 of each, and names the libraries that are fetched for the client.
        |- `profiles/`, if the fork's `instrument` asked for one: the stacks of each fork, compressed, one per line with its samples or bytes.
        |
        |`bench/` holds what `./lab bench` measured of the delay server: one JSON file per bench, with its environment, `measurements` (one row each) and `summary` (their
        |medians).
        |
        |In a notebook `experiment.lastRun()` and `published<Burst>("threads-2026-11")` read a run, with one row per trial. `dictionary()` is this page as a table. A name ends
        |with the number's unit; a number without a unit is a count. Threads are platform threads unless the name says otherwise. A number that could not be taken is
        |missing, never zero. Several workloads share a column, with the same meaning.
        |
        |This page is made from the code. A test compares them.
        |
        """.trimMargin()
}
