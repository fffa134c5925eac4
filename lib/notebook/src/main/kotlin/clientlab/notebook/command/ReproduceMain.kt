package clientlab.notebook.command

import clientlab.notebook.claim.*
import clientlab.notebook.reproduction.*
import clientlab.notebook.run.*
import kotlin.system.exitProcess

/**
 * The main of `./lab reproduce`: runs the experiment of a run again, or with `--all` those of all published runs on which the ledger rests,
 * and fails if a result differs.
 */
public fun main(arguments: Array<String>): Unit = orRefuse {
    val asked = arguments.single()
    val runs = if (asked == ALL) Claims.all.flatMap { it.evidence }.distinct() else listOf(asked)
    val reproductions = runs.map { run -> reproduce(run, ProgressLines()).also(::println) }
    if (!reproductions.all { it.holds }) exitProcess(1)
}

private const val ALL = "--all"
