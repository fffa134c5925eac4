@file:JvmName("CompareMain")

package clientlab.notebook.command

import clientlab.notebook.compare.*
import clientlab.notebook.run.*
import kotlin.io.path.Path
import kotlin.system.exitProcess

/**
 * The main of `./lab compare BASE CANDIDATE [name=value...]`: prints the page that compares two clients, and with `to` writes it into that
 * folder. It ends with 1 if the candidate is worse, and with 3 if that is not decided. The other names are `only`, `forks` and `margin`.
 */
public fun main(arguments: Array<String>): Unit = orRefuse {
    val (base, candidate) = arguments
    val given = arguments.drop(2).associate { it.substringBefore('=') to it.substringAfter('=') }
    val only = given["only"]?.split(',').orEmpty()
    val found =
        compare(
            base,
            candidate,
            only,
            given["forks"]?.toInt() ?: FORKS,
            given["margin"]?.toInt() ?: MARGIN,
            ProgressBar("terminal" in given),
        )
    println(found)
    given["to"]?.let { found.write(Path(it)) }
    if (found.outcome == CompareOutcome.Worse) exitProcess(1)
    if (found.outcome == CompareOutcome.Undecided) exitProcess(UNDECIDED)
}

private const val FORKS = 12
private const val MARGIN = 10
private const val UNDECIDED = 3
