package clientlab.articles.audit

import clientlab.ThreadState
import clientlab.notebook.frame.TrialRow
import clientlab.notebook.frame.metric
import clientlab.probe.ThreadOwners
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.rows
import kotlin.math.abs

/**
 * Whose a limit is, told from what there are as many of as requests in flight.
 *
 * Threads that are each held by one request come first: where a pool has as many of them as the client holds in flight, the pool is the
 * limit, and its name is that of its threads. Else it is connections, where there are as many; else the streams on them.
 */
internal object LimitOwner {
    /** In words, for a trial of an audit that held fewer requests than were asked. */
    fun of(trial: DataRow<TrialRow>): String {
        val held = trial.metric("heldInFlight") ?: return ""
        val pool = blocked(trial).filterValues { near(it.toDouble(), held) }.keys.firstOrNull()
        val connections = trial.metric("heldConnections") ?: 0.0
        return when {
            pool == COROUTINE_WORKERS -> "Dispatchers.IO"
            pool != null -> pool
            near(connections, held) -> "connections"
            connections < held -> "streams of ${connections.toInt()} ${if (connections == 1.0) "connection" else "connections"}"
            else -> "unknown"
        }
    }

    /** Threads that are held by one request each, by whose they are. */
    private fun blocked(trial: DataRow<TrialRow>): Map<String, Int> =
        (trial["threads"] as AnyFrame)
            .rows()
            .filter { it["doing"] in BLOCKED }
            .groupBy { it["owner"].toString() }
            .mapValues { (_, rows) -> rows.sumOf { it["count"] as Int } }

    private fun near(count: Double, held: Double) = abs(count - held) <= held * SLACK

    /** What [ThreadState.blocked] means, in the words of the table. */
    private val BLOCKED = ThreadState.entries.filter { it.blocked }.map { it.label }
    private const val COROUTINE_WORKERS = ThreadOwners.COROUTINES
    private const val SLACK = 0.05
}
