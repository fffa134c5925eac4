package clientlab.conduct.connections

import clientlab.client.*
import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

internal val afterUnread = left("connections.after-unread", "The caller takes the status and lets the answer go.", Reading.Unread)
internal val afterPart = left("connections.after-part", "The caller reads the first piece and lets the answer go.", Reading.Part)

private fun left(id: String, story: String, reading: Reading) =
    Situation(id, "The server answers with 1 MiB. $story It sends another request.") {
        val server = server {
            while (true) {
                if (receive().target == "/first") answerLarge(BYTES) else answer()
            }
        }
        val session = open(server)
        val first = session.start(Request("/first", large = true, reading = reading)).end()
        if (first !is Ending.Answered) return@Situation Observed("the first request ${first.words}", first.ms)
        // What does not say how much it has read may have read all.
        if ((first.reply.bytes ?: BYTES) >= BYTES) return@Situation Observed("not testable: the adapter reads each answer to its end")
        pause(LET_GO)
        val next = session.ask("/next")
        val again = server.requests.any { (connection, request) -> connection == 1 && request.target == "/next" }
        when {
            next !is Ending.Answered -> Observed(
                "the next request ${next.words}",
                concern = "A caller that does not read an answer spoils a later one.",
            )

            next.reply.bytes != NEXT_BYTES -> Observed(
                "takes the rest of the first answer for the second",
                concern = "The caller has the answer to another request.",
            )

            again -> Observed("uses the connection again")

            server.awaitEnd() != null -> Observed("closes the connection")

            else -> Observed(
                "holds the connection and opens another",
                concern = "Nobody has a use for the connection, and a caller that does so often runs out of them.",
            )
        }
    }

private val LET_GO = 150.milliseconds
private const val BYTES = 1L shl 20
private const val NEXT_BYTES = 2L
