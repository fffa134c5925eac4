package clientlab.conduct.idle

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

internal val closedGet = closedWhileIdle("idle.closed-get", "GET")
internal val closedPost = closedWhileIdle("idle.closed-post", "POST")

private fun closedWhileIdle(id: String, method: String) =
    Situation(id, "The server closes a connection while it is idle. The caller sends a $method 100 ms later.") {
        val server = server {
            receive()
            answer()
            if (number == 1) {
                pause(BEFORE_CLOSE)
                close()
            }
        }
        val session = open(server)
        session.ask("/first")
        pause(BEFORE_CLOSE + AFTER_CLOSE)
        val ending = session.ask("/second", method, bodyBytes = if (method == "POST") BODY else 0)
        Observed(if (ending.isAnswer()) "opens another connection" else ending.words, ending.ms)
            .concern("The caller sees an error that it has no part in.", !ending.isAnswer())
    }

private val BEFORE_CLOSE = 30.milliseconds
private val AFTER_CLOSE = 100.milliseconds
private const val BODY = 10L
