package clientlab.conduct.timeouts

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

/** What watches over time-outs often serves a whole process, so that one can get into another's way. */
internal val beside = Situation(
    "timeouts.beside",
    "The server sends the body byte by byte. Meanwhile a second session with half the time-out waits; its time-out ends later.",
) {
    val server = server {
        if (receive().target == "/second") return@server
        send("HTTP/1.1 200 Made\r\nContent-Length: 8\r\n\r\n")
        repeat(8) {
            pause(GAP)
            send(".")
        }
    }
    val first = open(server).start("/first")
    pause(TIMEOUT * LATER)
    open(server.url, timeout = TIMEOUT / 2).start("/second")
    val ending = first.end()
    when {
        ending.isAnswer() -> Observed("reads to the end", ending.ms)
        else -> ending.atTimeout(without = "The other session keeps it from ending.")
    }
}

private val GAP = 100.milliseconds

/** The second session begins before the first time-out ends, and its own ends behind it. */
private const val LATER = 0.75
