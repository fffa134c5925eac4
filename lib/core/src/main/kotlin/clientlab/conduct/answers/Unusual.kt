package clientlab.conduct.answers

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

/** What the standard allows, but servers seldom do. */
internal val untilClose = allowed(
    "answers.until-close",
    "The server states no length and closes the connection behind the body.",
) { send("HTTP/1.1 200 Made\r\n\r\nok") }

internal val noReason = allowed(
    "answers.no-reason",
    "The status line has no reason behind its number.",
) { send("HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok") }

internal val earlyHints = allowed(
    "answers.early-hints",
    "The server sends 103 (Early Hints) before its answer.",
) { send("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\nHTTP/1.1 200 Made\r\nContent-Length: 2\r\n\r\nok") }

internal val trailers = allowed(
    "answers.trailers",
    "The server answers in chunks, and a field comes behind the last one.",
) { send("HTTP/1.1 200 Made\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nChecksum: 1\r\n\r\n") }

internal val chunks = allowed("answers.chunks", "The server answers in three chunks, 20 ms apart.", bytes = 30) {
    send("HTTP/1.1 200 Made\r\nTransfer-Encoding: chunked\r\n\r\n")
    repeat(3) {
        pause(BETWEEN)
        send("a\r\n0123456789\r\n")
    }
    send("0\r\n\r\n")
}

private fun allowed(id: String, story: String, bytes: Long = 2, script: Connection.() -> Unit) =
    Situation(id, story) {
        val server = server {
            receive()
            script()
            pause(LET_READ)
            close()
        }
        val ending = open(server).ask()
        val whole = ending.isAnswer() && ending is Ending.Answered && (ending.reply.bytes ?: bytes) == bytes
        Observed(
            if (whole) {
                "takes it"
            } else if (ending.isAnswer()) {
                "takes a part of it"
            } else {
                ending.words
            },
            ending.ms,
        ).concern("RFC 9110 and 9112 allow this answer.", !whole)
    }

private val BETWEEN = 20.milliseconds
private val LET_READ = 30.milliseconds
