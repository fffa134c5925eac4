@file:JvmName("AttachMain")

package clientlab.notebook.command

import clientlab.*
import clientlab.notebook.attach.*

/** The main of `./lab attach PID`: prints what one look at a running service saw. */
public fun main(arguments: Array<String>): Unit = orRefuse {
    val pid =
        arguments.single().toLongOrNull() ?: throw LabException("'${arguments.single()}' is no process id: give a number, as in 4711.")
    println(attach(pid))
}
