package clientlab.conduct.timeouts

import clientlab.conduct.scene.*

internal val halfAnswer = Situation("timeouts.half-answer", "The server answers with half of the body, and then nothing more comes.") {
    val server = server {
        receive()
        send("HTTP/1.1 200 Made\r\nContent-Length: 10\r\n\r\n12345")
    }
    open(server).ask().atTimeout(without = "A server that stops within an answer holds the caller for ever.")
}
