package clientlab.conduct.threads

import clientlab.conduct.scene.*
import java.util.concurrent.CountDownLatch

/** A client that blocks its caller's thread sends the second request when the first one is answered. */
internal val caller = Situation("threads.caller", "One thread of the caller sends two requests; the server answers when it has both.") {
    val both = CountDownLatch(2)
    val server = server {
        receive()
        both.countDown()
        both.await()
        answer()
    }
    val session = open(server)
    val one = callers(1)
    val calls = List(2) { session.start("/$it", on = one) }
    val endings = calls.map { it.end() }
    if (endings.all { it.isAnswer() }) {
        Observed("does not block the caller's thread")
    } else {
        Observed(
            if (server.requests.size < 2) "blocks the caller's thread" else endings.joinToString(" and ") { it.words },
            concern = "Coroutines on that thread stand still while a request waits.",
        )
    }
}
