package clientlab.articles.latency

import clientlab.*
import clientlab.capacity.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/**
 * The capacity of each client: median over forks with its interval, the lowest load that failed, the probes of one search, what the client
 * took at its capacity, and its latencies at half and at nine tenths of it. `at least` stands where a search ended before the client's
 * limit; such a fork counts with the highest load that passed, so the median is a lower bound.
 */
public fun Trials<Capacity>.capacities(): AnyFrame =
    found()
        .toDataFrame {
            "client" from { it.name }
            "capacity" from { it.words }
            "unit" from { it.unit }
            "beyond" from { it.median(it.of("beyond")) }
            "latencyP99Ms" from { it.median("latencyP99Ms") }
            "requestCpuMs" from { it.median("requestCpuMs") }
            "halfLatencyP50Ms" from { it.median("halfLatencyP50Ms") }
            "halfLatencyP99Ms" from { it.median("halfLatencyP99Ms") }
            "nineTenthsLatencyP99Ms" from { it.median("nineTenthsLatencyP99Ms") }
            "probes" from { it.median("probes") }
            "n" from { it.estimate.n }
        }.from(this)

/** The largest and the smallest capacity in one sentence, and in another the slowest client below its capacity. */
public fun Trials<Capacity>.capacityAnswer(): String {
    val found = found().ifEmpty { return "No search here has ended." }
    val (most, least) = found.first() to found.last()
    val carried = "${most.name} carries ${most.words} ${most.unit}" +
        if (found.size > 1) ", and ${least.name} ${least.words}." else "."
    val below = BELOW.map { (where, metric) ->
        val slowest = found.filter { it.group.values(metric).isNotEmpty() }.maxByOrNull { it.latency(metric).value } ?: return carried
        "At $where the slowest, ${slowest.name}, answers 99 % within ${slowest.latency(metric)} ms."
    }
    return "$carried ${below.joinToString(" ")}"
}

/** The loads below a capacity in words, and the metric of their 99th percentile. */
internal val BELOW: Map<String, String> =
    linkedMapOf("half of the capacity" to "halfLatencyP99Ms", "nine tenths of the capacity" to "nineTenthsLatencyP99Ms")

/** What the searches of one treatment found, one value per fork. */
internal class FoundCapacity(val group: TreatmentTrials) {
    private val inFlight = METRICS.any { group.values("$it$IN_FLIGHT").isNotEmpty() }
    val values: List<Double> = group.counted.mapNotNull { it.metric(of("capacity")) ?: it.metric(of("atLeast")) }
    val estimate: Estimate = Bootstrap.median(values)
    val name: String = listOfNotNull(group.client, group[Factor.PROTOCOL]).joinToString()
    val unit: String = if (inFlight) "requests in flight" else "requests a second"
    val criterion: Long = group.number(Factor.P99_MS) ?: 0

    /** Whether the median is a lower bound only, because one of its values is. */
    val isBound: Boolean = group.values(of("atLeast")).isNotEmpty()
    val words: String = (if (isBound) "at least " else "") + estimate
    val short: String = (if (isBound) "at least " else "") + Estimate.rounded(estimate.value)

    fun of(metric: String): String = metric + if (inFlight) IN_FLIGHT else PER_SECOND

    fun latency(metric: String): Estimate = Bootstrap.median(group.values(metric))

    fun median(metric: String): String = latency(metric).let { if (it.n == 0) "none" else "$it" }
}

/** The treatments of which a search ended, the largest capacity first. */
internal fun Trials<Capacity>.found(): List<FoundCapacity> =
    counted().map(::FoundCapacity).filter { it.values.isNotEmpty() }.sortedByDescending { it.estimate.value }

private val METRICS = listOf("capacity", "atLeast", "beyond")
private const val IN_FLIGHT = "InFlight"
private const val PER_SECOND = "PerSecond"
