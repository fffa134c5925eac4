package clientlab.conduct.connections

import clientlab.conduct.scene.*

internal val atOnce = Situation(
    "connections.at-once",
    "Ten requests at once to a session for ten. The server answers when all of them are there.",
) {
    val server = server {
        receive()
        pause(PATIENCE)
    }
    val session = open(server)
    repeat(ALL) { session.start("/$it") }
    server.awaitRequests(ALL, within = SOON)
    val together = server.requests.size
    Observed(if (together == ALL) "sends all ten at once" else "sends $together at once")
        .concern("The session was opened for ten requests at once, and the others wait in the client.", together < ALL)
}

private const val ALL = 10
