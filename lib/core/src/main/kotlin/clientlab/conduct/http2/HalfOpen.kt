package clientlab.conduct.http2

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.seconds

/** A client may ask with a PING whether the connection lives, which takes it a moment. */
internal val http2HalfOpen = Situation(
    "http2.half-open",
    "A kept connection is dead, and nobody has told the client. The caller sends two more requests, and a third one later.",
) {
    val server = http2 {
        answer(receive())
        if (number == 1) fallSilent()
        while (true) answer(receive())
    }
    val session = openHttp2(server)
    session.ask("/first")
    val second = session.ask("/second")
    val third = session.ask("/third")
    if (!third.isAnswer()) pause(PING_ENDS)
    val later = session.ask("/later")
    when {
        second.isAnswer() -> Observed("not testable: it opens a connection for each request")
        third.isAnswer() -> Observed("${second.words}, the next one has a new connection", second.ms)
        later.isAnswer() -> Observed("${second.words}, and so does the next one; a later one has a new connection", second.ms)
        else -> Observed("${second.words}, and so do the next ones", later.ms, "The dead connection is used again and again.")
    }
}

/** OkHttp gives a ping a second; the third request has taken a part of it. */
private val PING_ENDS = 0.9.seconds
