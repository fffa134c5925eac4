package clientlab.conduct.answers

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

internal val long = Situation(
    "answers.long",
    "The server promises 2 bytes and sends a whole further answer behind them. The caller sends another request.",
) {
    val server = server {
        receive()
        answer()
        if (number == 1) send("HTTP/1.1 418 Made\r\nContent-Length: 0\r\n\r\n")
        while (true) {
            receive()
            answer()
        }
    }
    val session = open(server)
    session.ask("/first")
    pause(LET_READ)
    val ending = session.ask("/second")
    when {
        ending.isAnswer(418) -> Observed("takes the rest for the next answer", concern = ANOTHER)
        ending.isAnswer() -> Observed("does not take the rest for the next answer")
        else -> Observed(ending.words, ending.ms)
    }
}

private val LET_READ = 50.milliseconds
private const val ANOTHER = "One caller gets what was meant for another: RFC 9112, 9.2."
