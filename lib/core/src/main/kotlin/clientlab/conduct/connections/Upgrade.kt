package clientlab.conduct.connections

import clientlab.conduct.scene.*

/** RFC 9113 has withdrawn the header, and most servers do not know it. */
internal val upgrade = Situation("connections.upgrade", "The caller sends a request in plain text, and asks for no protocol.") {
    val server = server {
        while (true) {
            receive()
            answer()
        }
    }
    open(server).ask()
    val asked = server.requests.any { (_, request) -> request.headers.any { it.startsWith("upgrade:", ignoreCase = true) } }
    Observed(if (asked) "asks for an upgrade to HTTP/2" else "asks for no upgrade")
}
