package clientlab.conduct.connections

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

/** Two requests, one after the other: whether the second has the connection of the first, for which [script] is how the server answers. */
internal fun reuse(id: String, story: String, mayReuse: Boolean = true, standard: String = "", script: Connection.() -> Unit) =
    Situation(id, story) {
        val server = server {
            while (true) {
                receive()
                script()
            }
        }
        val session = open(server)
        session.ask("/first")
        pause(LET_RETURN)
        session.ask("/second")
        val on = server.requests.map { it.first }
        when {
            on.size < 2 -> Observed("the second request does not come")
            on[1] == on[0] -> Observed("uses the connection again").concern(standard, !mayReuse)
            else -> Observed("opens another connection").concern(HANDSHAKE, mayReuse)
        }
    }

private val LET_RETURN = 30.milliseconds
private const val HANDSHAKE = "Each request pays for a handshake, and each leaves a port in TIME_WAIT."
