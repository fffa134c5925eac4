package clientlab.conduct.http2

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

internal val goaway = Situation(
    "http2.goaway",
    "The server answers and says GOAWAY, and leaves the connection open. The caller sends another request.",
) {
    val server = http2 {
        while (true) {
            val stream = receive()
            answer(stream)
            if (number == 1) goAway(last = stream)
        }
    }
    val session = openHttp2(server)
    session.ask("/first")
    pause(LET_READ)
    server.second(session.ask("/second"), same = "RFC 9113, 6.8: no new stream on a connection whose server has said GOAWAY.")
}

internal val goawayUnderWay = Situation(
    "http2.goaway-under-way",
    "Two requests wait on one connection. The server says GOAWAY: it has begun with the first one and not with the second.",
) {
    val server = http2 {
        val first = receive()
        if (number == 1) {
            receive()
            goAway(last = first)
            answer(first)
            while (true) receive()
        }
        answer(first)
        while (true) answer(receive())
    }
    val session = openHttp2(server)
    val first = session.start("/first")
    server.awaitRequests(1)
    val second = session.start("/second")
    server.awaitRequests(2)
    val together = server.requests.take(2).map { it.first } == listOf(1, 1)
    val endings = listOf(first.end(), second.end())
    when {
        !together -> Observed("not testable: its two requests do not share a connection")
        !endings[0].isAnswer() -> Observed("the first request ${endings[0].words}", endings[0].ms, BEGUN)
        endings[1].isAnswer() -> Observed("sends the second request again, on another connection")
        else -> Observed("the second request ${endings[1].words}", endings[1].ms).concern(UNTOLD, endings[1].pending)
    }
}

private val LET_READ = 30.milliseconds
private const val BEGUN = "RFC 9113, 6.8: what the server has begun with it still answers."
private const val UNTOLD = "The caller does not learn that the server has done nothing."
