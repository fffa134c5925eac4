package clientlab.conduct.timeouts

import clientlab.conduct.scene.*

internal val noAnswer = Situation("timeouts.no-answer", "The server takes the request and never answers.") {
    val server = server { receive() }
    val ending = open(server).ask()
    val left = server.awaitEnd() == null
    val observed = ending.atTimeout(without = "A server that does not answer holds the caller for ever.")
    observed
        .copy(fact = observed.fact + if (left) ", leaves the connection open" else ", ends the connection")
        .concern("The caller has given up, and the server goes on working for it.", left && ending.failed)
}
