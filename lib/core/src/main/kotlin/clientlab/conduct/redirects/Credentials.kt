package clientlab.conduct.redirects

import clientlab.client.*
import clientlab.conduct.scene.*

internal val credentials = Situation(
    "redirects.other-host",
    "The caller sends a GET with its credentials in Authorization. The server answers with 302 and an address of another host.",
) {
    val other = server {
        while (true) {
            receive()
            answer()
        }
    }
    val server = server {
        while (true) {
            receive()
            answer(302, "", "Location: http://localhost:${other.port}/second")
        }
    }
    val ending = open(server).start(Request("/first", headers = mapOf("Authorization" to "Bearer secret"))).end()
    val second = other.requests.firstOrNull()?.second
    when {
        !server.requests.any { it.second.isAuthorized } -> Observed("not testable: it does not send what the caller adds")
        second == null -> Observed("does not follow: ${ending.words}")
        second.isAuthorized -> Observed("follows with the credentials: ${ending.words}", concern = TOLD)
        else -> Observed("follows without the credentials: ${ending.words}")
    }
}

private val Received.isAuthorized: Boolean get() = headers.any { it.startsWith("authorization:", ignoreCase = true) }

private const val TOLD = "One host gets the credentials for another: RFC 9110, 15.4."
