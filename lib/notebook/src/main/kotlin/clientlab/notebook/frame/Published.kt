package clientlab.notebook.frame

import clientlab.Trial
import clientlab.notebook.LabException
import clientlab.notebook.LabHome
import clientlab.notebook.journal.RunFolder
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.concat
import kotlin.io.path.exists

private val NAME = Regex("(.+)-(\\d{4}-\\d{2}[a-z]?)")

/** Whether [name] can be that of a published run: an experiment and a label, as in `threads-2026-11`. */
internal fun isPublishedName(name: String): Boolean = NAME.matches(name)

/** Published trials by the name of their folder, as in `published("threads-2026-11")`: an experiment and a label. */
public fun published(name: String): Trials {
    val (experiment, label) = NAME.matchEntire(name)?.destructured
        ?: throw LabException("'$name' is no published run: write it as \"threads-2026-11\".")
    return RunFolder.published(experiment, label).frame()
}

/** The trials of all [names] that are published, one below the other; no rows where none of them is. */
internal fun evidence(names: List<String>): Trials {
    val there = names.filter { LabHome.published.resolve(it).exists() }.map(::published)
    return if (there.size == 1) there.single() else (there.ifEmpty { listOf(emptyList<Trial>().toTrials("")) }).concat().cast()
}
