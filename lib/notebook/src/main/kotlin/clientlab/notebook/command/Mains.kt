package clientlab.notebook.command

import clientlab.*
import kotlin.system.exitProcess

/** Runs a main. If the lab refuses, prints its sentence and ends with code 1. */
internal fun orRefuse(main: () -> Unit) {
    try {
        main()
    } catch (refused: LabException) {
        System.err.println("lab: ${refused.message}")
        exitProcess(1)
    }
}
