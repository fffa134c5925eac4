package clientlab.conduct.answers

import clientlab.conduct.scene.*

internal val largeHeader = Situation("answers.header-64k", "A field of the answer has 64 KiB.") {
    val server = server {
        receive()
        send("HTTP/1.1 200 Made\r\nX: ${"x".repeat(64 shl 10)}\r\nContent-Length: 2\r\n\r\nok")
    }
    val ending = open(server).ask()
    Observed(if (ending.isAnswer()) "takes it" else ending.words, ending.ms)
}

internal val endlessHeaders = Situation("answers.endless-headers", "The server sends fields without an end, 64 MiB at most.") {
    var sent = 0L
    val server = server {
        receive()
        send("HTTP/1.1 200 Made\r\n")
        val field = "X: ${"x".repeat(1_000)}\r\n".repeat(64).encodeToByteArray()
        while (sent < MOST) {
            send(field)
            sent += field.size
        }
    }
    val ending = open(server).ask()
    // A client with a limit of its own ends it long before its time-out.
    val ownLimit = ending.failed && sent < MOST && ending.ms < TIMEOUT.inWholeMilliseconds / 2
    if (ownLimit) {
        Observed(ending.words, ending.ms)
    } else {
        Observed("reads on: ${ending.words}", ending.ms, "A server can fill the memory of the client with fields.")
    }
}

private const val MOST = 64L shl 20
