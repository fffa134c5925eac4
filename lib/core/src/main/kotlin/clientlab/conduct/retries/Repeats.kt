package clientlab.conduct.retries

import clientlab.conduct.scene.*

/** A request to a server that lets every attempt go wrong in the same way: how often it comes, and how it ends. */
internal fun repeats(id: String, story: String, method: String, mayRepeat: Boolean = method == "GET", wrong: Connection.() -> Unit) =
    Situation(id, story) {
        val server = server {
            while (true) {
                receive()
                wrong()
            }
        }
        val ending = open(server).ask(method = method, bodyBytes = if (method == "POST") BODY else 0)
        val sent = server.requests.size
        Observed("sends it ${times(sent)}: ${ending.words}", ending.ms).concern(AGAIN, sent > 1 && !mayRepeat)
    }

private fun times(number: Int) = when (number) {
    1 -> "once"
    2 -> "twice"
    else -> "$number times"
}

private const val BODY = 10L
private const val AGAIN = "The server may have done it more than once: RFC 9110, 9.2.2 lets a client repeat only what is idempotent."
