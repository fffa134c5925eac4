package clientlab.conduct.names

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

/** The JVM remembers an address for 30 s (`networkaddress.cache.ttl`), so most clients ask the old one. That is no concern of theirs. */
internal val moved = Situation(
    "names.moved",
    "After the first answer the server's name gets another address, and the old server closes the connection. " +
        "The caller sends another request. A JVM keeps an address for 30 s (networkaddress.cache.ttl).",
) {
    val name = name(FIRST)
    byName(name) {
        val old = server(FIRST) {
            receive()
            answer()
            if (number == 1) close()
            receive()
            answer()
        }
        answering(SECOND, old.port)
        val session = open(name.url(old.port))
        session.ask("/first")
        name.addresses = listOf(SECOND)
        pause(AFTER_CLOSE)
        val ending = session.ask("/second")
        val asksOld = old.requests.any { it.second.target == "/second" }
        when {
            !ending.isAnswer() -> Observed(ending.words, ending.ms)
            asksOld -> Observed("asks the old address")
            else -> Observed("asks the new address")
        }
    }
}

private val AFTER_CLOSE = 100.milliseconds
