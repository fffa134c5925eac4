package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.concat
import kotlin.io.path.exists

private val NAME = Regex("(.+)-(\\d{4}-\\d{2}[a-z]?)")

/** Whether [name] has the form of a published run's name: an experiment and a label, as in `threads-2026-11`. */
internal fun isPublishedName(name: String): Boolean = NAME.matches(name)

/**
 * Published trials by the name of their folder, an experiment and a label, as in `published("threads-2026-11")`. Several names give the
 * rows of all these runs, as in `published("latency-2026-11c", "latency-high-2026-11")`.
 */
public fun published(name: String, vararg more: String): Trials = below((listOf(name) + more).distinct().map(::read))

/** The trials of all [names] that are published, in one frame; no rows if none of them is. */
public fun evidence(names: List<String>): Trials =
    below(names.filter { LabHome.published.resolve(it).exists() }.map(::read).ifEmpty { listOf(emptyList<Trial>().toTrials("")) })

private fun below(runs: List<Trials>): Trials = runs.singleOrNull() ?: runs.concat().cast()

private fun read(name: String): Trials {
    val (experiment, label) = NAME.matchEntire(name)?.destructured
        ?: throw LabException("'$name' is no published run: write it as \"threads-2026-11\".")
    return RunFolder.published(experiment, label).frame()
}
