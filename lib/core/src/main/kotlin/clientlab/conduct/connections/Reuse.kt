package clientlab.conduct.connections

import clientlab.conduct.scene.*
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * Two requests, the second so long [after] the first: whether it has the same connection. The server answers with [script].
 *
 * @param mayReuse whether it should; [standard] says why not.
 */
internal fun reuse(
    id: String,
    story: String,
    after: Duration = LET_RETURN,
    mayReuse: Boolean = true,
    standard: String = "",
    script: Connection.() -> Unit,
) =
    Situation(id, story) {
        val server = server {
            while (true) {
                receive()
                script()
            }
        }
        val session = open(server)
        session.ask("/first")
        pause(after)
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
