package clientlab.conduct.idle

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

internal val unasked = Situation(
    "idle.unasked",
    "The server sends an answer that nobody asked for on an idle connection. The caller sends the next request.",
) {
    val server = server {
        receive()
        answer()
        if (number == 1) {
            pause(IDLE)
            answer(418)
        }
        while (true) {
            receive()
            answer()
        }
    }
    val session = open(server)
    session.ask("/first")
    pause(IDLE * 3)
    val ending = session.ask("/second")
    when {
        ending.isAnswer(418) -> Observed("takes it for the next answer", concern = ANOTHER)
        ending.isAnswer() -> Observed("does not take it for the next answer")
        else -> Observed(ending.words, ending.ms)
    }
}

private val IDLE = 40.milliseconds
private const val ANOTHER = "One caller gets what was meant for another: RFC 9112, 9.2."
