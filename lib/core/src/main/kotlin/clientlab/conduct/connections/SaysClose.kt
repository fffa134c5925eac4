package clientlab.conduct.connections

import clientlab.conduct.scene.*

internal val saysClose = reuse(
    "connections.says-close",
    "The server says Connection: close, and leaves the closing to the client.",
    mayReuse = false,
    standard = "RFC 9112, 9.6: no more requests on a connection that the server has said it closes.",
) { answer(200, "ok", "Connection: close") }

internal val http10 = reuse(
    "connections.http-1.0",
    "The server answers in HTTP/1.0 and leaves the closing to the client.",
    mayReuse = false,
    standard = "RFC 9112, 9.3: a connection of HTTP/1.0 does not persist unless both ends say so.",
) { send("HTTP/1.0 200 Made\r\nContent-Length: 2\r\n\r\nok") }
