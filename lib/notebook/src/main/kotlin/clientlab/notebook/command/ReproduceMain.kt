package clientlab.notebook.command

import clientlab.notebook.reproduction.*
import clientlab.notebook.run.*
import kotlin.system.exitProcess

/** The main of `./lab reproduce`: runs the experiment of a run again, and fails if a result differs. */
public fun main(arguments: Array<String>): Unit = orRefuse {
    val reproduction = reproduce(arguments.single(), ProgressLines())
    println(reproduction)
    if (!reproduction.holds) exitProcess(1)
}
