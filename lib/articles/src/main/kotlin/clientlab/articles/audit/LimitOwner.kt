package clientlab.articles.audit

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.frame.*
import clientlab.probe.*
import kotlin.math.abs

/**
 * Finds the owner of a limit: the resource of which there are as many as requests in flight.
 *
 * Threads that one request each holds come first: if a pool has as many of them as requests in flight, the pool is the limit, and its
 * threads give its name. Otherwise the connections are the limit if there are as many; otherwise the streams on them.
 */
internal object LimitOwner {
    /** The owner in words, for a trial of an audit that held fewer requests than the load. */
    fun of(trial: AnyTrial): String {
        val held = trial.metric("heldInFlight") ?: return ""
        val pool = blocked(trial).filterValues { near(it.toDouble(), held) }.keys.firstOrNull()
        val connections = trial.metric("heldConnections") ?: 0.0
        return when {
            pool == ThreadOwners.COROUTINES -> "Dispatchers.IO"
            pool != null -> pool
            near(connections, held) -> "connections"
            connections < held -> "streams of ${connections.toInt()} ${if (connections == 1.0) "connection" else "connections"}"
            else -> "unknown"
        }
    }

    /** The number of threads that one request each holds, by owner. */
    private fun blocked(trial: AnyTrial): Map<String, Int> = trial
        .table("threads")
        .filter { it["doing"] in BLOCKED }
        .groupBy { it["owner"].toString() }
        .mapValues { (_, rows) -> rows.sumOf { it["count"] as Int } }

    private fun near(count: Double, held: Double) = abs(count - held) <= held * SLACK

    private val BLOCKED = ThreadState.entries.filter { it.blocked }.map { it.label }
    private const val SLACK = 0.05
}
