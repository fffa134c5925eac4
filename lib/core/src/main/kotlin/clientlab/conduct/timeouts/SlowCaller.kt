package clientlab.conduct.timeouts

import clientlab.client.*
import clientlab.conduct.scene.*

internal val slowCaller = Situation(
    "timeouts.slow-caller",
    "The server answers with 64 KiB at once. The caller takes twice the time-out to read them.",
) {
    val server = server {
        receive()
        answer(body = "x".repeat(BYTES))
    }
    val ending = open(server).start(Request("/", large = true, reading = Reading.Slowly)).end()
    when {
        ending.isAnswer() && ending.ms < TIMEOUT.inWholeMilliseconds -> Observed("not testable: the adapter reads each answer at once")
        ending.isAnswer() -> Observed("lets the caller take its time")
        ending.failed -> Observed("${ending.words}: the caller's own time counts", ending.ms)
        else -> Observed(ending.words, concern = "The answer was there, and the caller does not get to its end.")
    }
}

private const val BYTES = 64 shl 10
