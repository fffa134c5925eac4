package clientlab.notebook.frame

import clientlab.Experiment
import clientlab.notebook.LabException
import clientlab.notebook.LabHome
import clientlab.notebook.journal.Manifest
import clientlab.notebook.journal.RunFolder
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries

/** Where these trials come from, by their run's manifest: what was asked, on which machine, with which Java and which libraries. */
public fun Trials.provenance(): AnyFrame {
    val manifests = runs().map(::manifestOf)
    val lines = manifests.map(::describe)
    val names = lines.firstOrNull()?.map { it.first }.orEmpty()
    return dataFrameOf(
        listOf(names.toColumn("what")) +
            lines.mapIndexed { index, line -> line.map { it.second }.toColumn("run${index + 1}".takeIf { lines.size > 1 } ?: "value") },
    )
}

private fun manifestOf(run: String): Manifest {
    val folders = listOf(LabHome.raw, LabHome.published)
        .filter {
            it.exists()
        }.flatMap { it.listDirectoryEntries() }
        .filter { it.isDirectory() }
    val all = folders.flatMap { listOf(it) + it.listDirectoryEntries().filter { inner -> inner.isDirectory() } }
    val manifests = all.filter { it.resolve("manifest.json").exists() }.map(::RunFolder)
    return manifests.firstOrNull { it.manifest.run == run }?.manifest
        ?: throw LabException("No folder of data holds the run $run any more.")
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
