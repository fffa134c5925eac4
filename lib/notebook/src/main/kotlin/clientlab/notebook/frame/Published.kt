package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.concat
import kotlin.io.path.exists
import kotlin.io.path.name
import kotlin.reflect.KClass

private val NAME = Regex("(.+)-(\\d{4}-\\d{2}[a-z]?)")

/** Whether [name] has the form of a published run's name: an experiment and a label, as in `threads-2026-11`. */
internal fun isPublishedName(name: String): Boolean = NAME.matches(name)

/**
 * Published trials by the name of their folder, an experiment and a label, as in `published("threads-2026-11")`. Several names give the
 * rows of all these runs, as in `published("latency-2026-11c", "latency-high-2026-11")`.
 */
public fun published(name: String, vararg more: String): Trials<*> = publishedOf<Workload>(Workload::class, listOf(name) + more)

/** Published trials of the workload [W]: its figures and tables accept only these. A run of another workload is refused in one sentence. */
@JvmName("publishedAs")
public inline fun <reified W : Workload> published(name: String, vararg more: String): Trials<W> =
    publishedOf(W::class, listOf(name) + more)

@PublishedApi
internal fun <W : Workload> publishedOf(workload: KClass<W>, names: List<String>): Trials<W> =
    below(names.distinct().map { folder(it).trialsOf(workload) })

/** The trials of all [names] that are published, in one frame; no rows if none of them is. */
public fun evidence(names: List<String>): Trials<*> {
    val there = names.filter { LabHome.published(it) != null }
    return if (there.isEmpty()) emptyList<Trial>().toTrials("") else below(there.map { folder(it).frame() })
}

/** The trials of this run, which are of [workload]. */
@PublishedApi
internal fun <W : Workload> RunFolder.trialsOf(workload: KClass<out W>): Trials<W> {
    val measured = manifest.experiment.workload
    val there = measured::class.simpleName
    refuseUnless(workload.isInstance(measured)) {
        "The run ${path.name} is of $there, not of ${workload.simpleName}: write $there instead, as in published<$there>(\"…\")."
    }
    return frame().cast()
}

/** The trials of this run, which are of the workload of [experiment]. */
internal fun <W : Workload> RunFolder.trialsOf(experiment: Experiment<W>): Trials<W> = trialsOf(experiment.workload::class)

private fun <W : Workload> below(runs: List<Trials<W>>): Trials<W> = runs.singleOrNull() ?: runs.concat()

private fun folder(name: String): RunFolder {
    val (experiment, label) = NAME.matchEntire(name)?.destructured
        ?: throw LabException("'$name' is no published run: write it as \"threads-2026-11\".")
    return RunFolder.published(experiment, label)
}

/** The rows of a comma-separated resource [file] beside this class, by the names in its first line. No cell has a comma or quotes. */
public fun Class<*>.sourceFigures(file: String): List<Map<String, String>> {
    val lines = checkNotNull(getResource(file)) { "This build has no $file." }.readText().trim().lines()
    val names = lines.first().split(',')
    return lines.drop(1).map { line -> names.zip(line.split(',')).toMap() }
}
