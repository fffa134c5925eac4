package clientlab.conduct.http2

import clientlab.*
import clientlab.client.*
import clientlab.conduct.scene.*
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.time.Duration.Companion.milliseconds

internal val unreadStream = Situation(
    "http2.unread-stream",
    "The caller reads a large answer slowly. Meanwhile it sends fifty requests, and each has a small answer.",
) {
    val begun = AtomicBoolean()
    val server = http2 {
        while (true) {
            val stream = receive()
            if (begun.compareAndSet(false, true)) answerLarge(stream, LARGE) else answer(stream)
        }
    }
    val session = open(server.url, OTHERS + 1, Protocol.Http2, timeout = PATIENCE)
    val slow = session.start(Request("/large", large = true, reading = Reading.Slowly))
    // The server sends as much as the client's windows allow.
    pause(LET_FILL)
    val others = List(OTHERS) { session.start("/$it") }
    val endings = others.map { it.end() }
    val waiting = endings.count { !it.isAnswer() }
    val first = slow.end(within = LET_FILL)
    when {
        first is Ending.Answered -> Observed("not testable: the adapter reads each answer at once")

        waiting > 0 -> Observed(
            if (waiting == OTHERS) "the others wait for it" else "some of the others wait for it",
            concern = "One answer that a caller reads slowly holds up other callers on the connection.",
        )

        server.connections > 1 -> Observed("opens another connection for the others")

        else -> Observed("the others have their answers")
    }
}

private const val OTHERS = 50
private const val LARGE = 64L shl 20
private val LET_FILL = 300.milliseconds
