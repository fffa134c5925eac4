package clientlab.articles.gateway

import clientlab.*
import clientlab.burst.*
import clientlab.closedloop.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/** Many fast calls: requests per second, processor time and allocated bytes per request, per client. */
public fun Trials<ClosedLoop>.fastChart(): Chart {
    val groups = measured { it[Factor.TASKS] != null }
    val fastest = groups.maxByOrNull { it.median("requestsPerSecond").value }
    return several(groups, FAST, "${fastest?.client ?: "no client"} answers the most fast calls in a second")
}

/** Threads and time of bursts with and without background tasks, per client. */
public fun Trials<Burst>.besideChart(): Chart {
    val groups = measured { it[Factor.BACKGROUND] != null }
    val more =
        groups.groupBy { it.client }.mapValues { (_, levels) ->
            fun threads(beside: String) = levels.firstOrNull { it[Factor.BACKGROUND] == beside }?.median("activeNew")?.value
            (threads("idle-io") ?: Double.NaN) - (threads("none") ?: Double.NaN)
        }
    val title = "Beside the tasks, ${listed(more.map { (client, threads) -> "$client has ${threadsMore(threads)}" })}"
    return several(groups, BESIDE, title) { "${it.client}, ${if (it[Factor.BACKGROUND] == "none") "alone" else "beside tasks"}" }
}

private fun threadsMore(value: Double): String {
    val many = Estimate.rounded(kotlin.math.abs(value))
    return when {
        value.isNaN() -> "threads unknown"
        many == "0" -> "no thread more"
        else -> "$many thread${if (many == "1") "" else "s"} ${if (value > 0) "more" else "fewer"}"
    }
}

private val FAST: Map<String, (TreatmentTrials) -> List<Double>> =
    mapOf(
        "requests a second" to { group -> group.values("requestsPerSecond") },
        "processor time, ms a request" to { group -> group.values("requestCpuMs") },
        "allocated, kB a request" to { group -> group.values("requestAllocatedBytes").map { it / MS } },
    )

private val BESIDE: Map<String, (TreatmentTrials) -> List<Double>> =
    mapOf(
        "new active threads" to { group -> group.values("activeNew") },
        "new threads, not parked" to { group -> group.values("activeUnparkedNew") },
        "time in delays" to { group -> group.values("durationMs").map { it / (group.number(Factor.DELAY_MS) ?: 1) } },
    )
