@file:JvmName("BisectMain")

package clientlab.notebook.command

import clientlab.*
import clientlab.conduct.*
import clientlab.notebook.bisect.*
import clientlab.notebook.run.*

/**
 * The main of `./lab bisect CLIENT ASKED [name=value...]`: prints the release of a client's library with which an answer changes. The names:
 * `below` or `above`, a number that a metric is compared with; `from` and `to`, releases; `java=all` for Javas instead of releases, and
 * `coroutines` for those versions of it; `terminal=yes` where a bar can be drawn.
 */
public fun main(arguments: Array<String>): Unit = orRefuse {
    val (client, asked) = arguments
    val given = arguments.drop(2).associate { it.substringBefore('=') to it.substringAfter('=') }
    val over = when {
        "java" in given -> javas(client)
        "coroutines" in given -> coroutines(client, *given.getValue("coroutines").split(',').toTypedArray())
        else -> releases(client, given["from"], given["to"])
    }
    println("${over.size} to look at, from ${over.firstOrNull()} to ${over.lastOrNull()}.")
    println(bisect(client, asked, over, question(asked, given), ProgressBar("terminal" in given)))
}

/** Whether the metric [asked] is below or above what is [given], or null if neither is. A situation is asked for its time. */
private fun question(asked: String, given: Map<String, String>): (Seen.() -> Any)? {
    fun Seen.value() = if (asked in Conduct.stories) ms else metric(asked)
    given["below"]?.toDouble()?.let { return { value() < it } }
    return given["above"]?.toDouble()?.let { { value() > it } }
}
