package clientlab.conduct.idle

import clientlab.conduct.scene.*

internal val arrivalGet = closedOnArrival("idle.closed-on-get", "GET")
internal val arrivalPost = closedOnArrival("idle.closed-on-post", "POST")

/** The race between the server's idle time-out and the next request: the server has read the request and gives no answer. */
private fun closedOnArrival(id: String, method: String) =
    Situation(id, "The server closes a used connection when the next request, a $method, has come, and does not answer it.") {
        val server = server {
            receive()
            answer()
            receive()
            if (number == 1) close() else answer()
        }
        val session = open(server)
        session.ask("/first")
        val ending = session.ask("/second", method, bodyBytes = if (method == "POST") BODY else 0)
        val sent = server.requests.count { it.second.target == "/second" }
        val reused = server.requests.firstOrNull { it.second.target == "/second" }?.first == 1
        when {
            !reused -> Observed("not testable: it opens a connection for each request")
            sent > 1 -> Observed("sends it again: ${ending.words}", ending.ms).concern(AGAIN, method == "POST")
            else -> Observed("sends it once: ${ending.words}", ending.ms)
        }
    }

private const val AGAIN = "The server may have done it twice: RFC 9110, 9.2.2 lets a client repeat only what is idempotent."
private const val BODY = 10L
