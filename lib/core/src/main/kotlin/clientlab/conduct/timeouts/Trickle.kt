package clientlab.conduct.timeouts

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

/** Longer than the time-out in all, with no gap as long as the time-out. */
internal val trickle = Situation("timeouts.trickle", "The server sends the body byte by byte, one every 100 ms, for a second.") {
    val server = server {
        receive()
        send("HTTP/1.1 200 Made\r\nContent-Length: 10\r\n\r\n")
        repeat(10) {
            pause(GAP)
            send(".")
        }
    }
    val ending = open(server).ask()
    if (ending.isAnswer()) {
        Observed("reads to the end", ending.ms, "No time-out is about the whole call, so a slow server can hold the caller.")
    } else {
        ending.atTimeout(without = "No time-out ends the call.")
    }
}

private val GAP = 100.milliseconds
