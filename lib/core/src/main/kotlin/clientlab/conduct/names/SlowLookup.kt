package clientlab.conduct.names

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

internal val slowLookup = Situation("names.slow", "The JVM needs 900 ms to look up the address of the server's name.") {
    val name = name(FIRST).apply { takes = LOOKUP }
    byName(name) {
        val ending = open(name.url(answering(FIRST).port)).ask()
        if (ending.isAnswer()) {
            Observed("answers after the lookup, without a time-out", ending.ms, "No time-out holds while a name is looked up.")
        } else {
            ending.atTimeout(without = "No time-out holds while a name is looked up.")
        }
    }
}

private val LOOKUP = 900.milliseconds
