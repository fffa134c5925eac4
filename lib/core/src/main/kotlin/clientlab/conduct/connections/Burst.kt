package clientlab.conduct.connections

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

internal val burst = Situation("connections.burst", "Ten requests at once, and then ten more at once, to a session for ten.") {
    val server = server {
        while (true) {
            receive()
            pause(TAKES)
            answer()
        }
    }
    val session = open(server)
    repeat(2) { wave -> List(10) { session.start("/$wave/$it") }.forEach { it.end() } }
    val connections = server.connections
    when {
        connections <= 10 -> Observed("opens ten connections or fewer for twenty requests")
        connections < 20 -> Observed("opens more than ten connections for twenty requests")
        else -> Observed("opens a connection for each request", concern = "Each request pays for a handshake.")
    }
}

private val TAKES = 40.milliseconds
