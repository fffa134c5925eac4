package clientlab.conduct.connections

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

internal val earlyAnswer = Situation(
    "connections.early-answer",
    "The server answers a POST of 16 MiB with 413 as soon as it has the head, and closes the connection without reading the body.",
) {
    val server = server {
        receiveHead()
        answer(413, "too large", "Connection: close")
        pause(LET_READ)
        reset()
    }
    val ending = open(server).ask(method = "POST", bodyBytes = 16L shl 20)
    Observed(ending.words, ending.ms)
        .concern("The caller learns of a broken connection, and not that the body is too large.", !ending.isAnswer(413))
}

private val LET_READ = 100.milliseconds
