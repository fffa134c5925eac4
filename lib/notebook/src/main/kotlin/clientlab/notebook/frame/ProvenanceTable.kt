package clientlab.notebook.frame

import clientlab.Experiment
import clientlab.notebook.journal.Manifest
import clientlab.notebook.journal.RunFolder
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** Where these trials come from, by their run's manifest: what was asked, on which machine, with which Java and which libraries. */
public fun Trials.provenance(): AnyFrame {
    val manifests = runs().map { RunFolder.withId(it).manifest }
    val lines = manifests.map(::describe)
    val names = lines.firstOrNull()?.map { it.first }.orEmpty()
    return dataFrameOf(
        listOf(names.toColumn("what")) +
            lines.mapIndexed { index, line -> line.map { it.second }.toColumn("run${index + 1}".takeIf { lines.size > 1 } ?: "value") },
    )
}

private fun describe(manifest: Manifest): List<Pair<String, String>> {
    val machine = manifest.machine
    return listOf(
        "run" to manifest.run,
        "started" to manifest.startedAt.substringBefore('.') + "Z",
        "state" to manifest.state,
        "experiment" to question(manifest.experiment),
        "machine" to "${machine.cpu}, ${machine.cores} cores, ${machine.memoryBytes / GIB} GiB",
        "system" to machine.os,
        "Java" to "${machine.java} (${machine.javaVendor})",
        "options" to manifest.jvmArgs.joinToString(" "),
        "load before" to (machine.load?.let { "%.2f".format(java.util.Locale.ROOT, it) } ?: "unknown"),
        "commit" to (manifest.commit?.take(SHORT)?.let { it + if (manifest.dirty == true) ", with changes" else "" } ?: "unknown"),
        "libraries" to manifest.versions.entries.joinToString { "${it.key.substringAfter(':')} ${it.value}" },
    )
}

private fun question(experiment: Experiment): String =
    "${experiment.name}: ${experiment.treatments.size} treatments, ${experiment.forks} forks each, seed ${experiment.seed}"

private const val GIB = 1L shl 30
private const val SHORT = 10
