package clientlab.conduct.idle

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

internal val keepAlive =
    Situation("idle.keep-alive", "The server says Keep-Alive: timeout=1. The caller sends another request after 1.2 s.") {
        val server = server {
            while (true) {
                receive()
                answer(200, "ok", "Keep-Alive: timeout=1")
            }
        }
        val session = open(server)
        session.ask("/first")
        pause(LONGER)
        session.ask("/second")
        val on = server.requests.map { it.first }
        when {
            on.size < 2 -> Observed("the second request does not come")
            on[1] == 1 -> Observed("uses the connection after its time", concern = RACE)
            else -> Observed("opens another connection")
        }
    }

private val LONGER = 1_200.milliseconds
private const val RACE = "The server may close it at the same moment; then the request fails."
