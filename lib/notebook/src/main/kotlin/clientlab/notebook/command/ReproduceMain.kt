package clientlab.notebook.command

import clientlab.*
import clientlab.notebook.reproduction.*
import clientlab.notebook.run.*
import kotlin.system.exitProcess

/** The main of `./lab reproduce`: runs the experiment of a run again, and fails if a result differs. */
public fun main(arguments: Array<String>) {
    try {
        val reproduction = reproduce(arguments.single(), ProgressLines())
        println(reproduction)
        if (!reproduction.holds) exitProcess(1)
    } catch (refused: LabException) {
        System.err.println("lab: ${refused.message}")
        exitProcess(1)
    }
}
