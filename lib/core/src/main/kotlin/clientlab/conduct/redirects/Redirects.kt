package clientlab.conduct.redirects

import clientlab.conduct.scene.*

internal val foundGet = redirect("redirects.302-get", 302, "GET")
internal val foundPost = redirect("redirects.302-post", 302, "POST")
internal val temporaryPost = redirect("redirects.307-post", 307, "POST")

private fun redirect(id: String, status: Int, method: String) =
    Situation(id, "The server answers a $method with $status and another address of its own.") {
        val server = server {
            while (true) if (receive().target == "/first") answer(status, "", "Location: /second") else answer()
        }
        val ending = open(server).ask("/first", method, bodyBytes = if (method == "POST") BODY else 0)
        val second = server.requests.map { it.second }.firstOrNull { it.target == "/second" }
        when {
            second == null -> Observed("does not follow: ${ending.words}")
            second.method != method -> Observed("follows with a ${second.method}: ${ending.words}").concern(CHANGED, status == 307)
            second.bodyBytes == 0L && method == "POST" -> Observed("follows with a POST without its body: ${ending.words}", concern = EMPTY)
            else -> Observed("follows with the same $method: ${ending.words}")
        }
    }

private const val BODY = 10L
private const val CHANGED = "RFC 9110, 15.4.8: the method must not change."
private const val EMPTY = "The server gets a request without the body that belongs to it."
