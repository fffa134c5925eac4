@file:JvmName("AttachMain")

package clientlab.notebook.command

import clientlab.*
import clientlab.notebook.attach.*
import kotlin.time.Duration.Companion.seconds

/** The main of `./lab attach PID [--watch]`: prints what one look at a running service saw, or a line every two seconds until it is ended. */
public fun main(arguments: Array<String>): Unit = orRefuse {
    val given = arguments.first()
    val pid = given.toLongOrNull() ?: throw LabException("'$given' is no process id: give a number, as in 4711.")
    if ("--watch" in arguments) {
        looks(pid, every = 2.seconds).forEach(::println)
    } else {
        println(attach(pid))
    }
}
