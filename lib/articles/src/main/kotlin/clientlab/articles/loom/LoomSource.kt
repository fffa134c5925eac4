package clientlab.articles.loom

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.tasks.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/**
 * A time that source 002 (D. Vlijmincx, *Virtual vs Platform Threads for API Calls*, 2024) reports for 10,000 tasks.
 *
 * @property error half of its interval as JMH prints it: 99.9 %, over ten iterations of one fork, so that it is too narrow.
 */
internal class LoomTime(row: Map<String, String>) {
    val executor: String = row.getValue("executor")
    val calls: Int = row.getValue("calls").toInt()
    val delayMs: Int = row.getValue("delayMs").toInt()
    val seconds: Double = row.getValue("seconds").toDouble()
    private val error: Double = row.getValue("error").toDouble()
    val low: Double get() = seconds - error
    val high: Double get() = seconds + error

    override fun toString(): String = "$seconds ± $error"
}

/** The figures of source 002 as published. */
internal object LoomSource {
    /** The time of a call without the delay, as its text says. */
    private const val BASE_MS = 4.0
    private const val TASKS = 10_000
    const val VIRTUAL: String = "virtual"
    const val POOL: String = "pool-processors"

    private val times: List<LoomTime> by lazy { LoomTime::class.java.sourceFigures("source-002.csv").map(::LoomTime) }

    val ofPool: List<LoomTime> get() = times.filter { it.executor == POOL }

    fun of(executor: String, calls: Int, delayMs: Int): LoomTime =
        times.first { it.executor == executor && it.calls == calls && it.delayMs == delayMs }

    /** The threads that the pool must have had for a time, if a call takes [latencyMs] and each thread makes one call at a time. */
    fun threadsFor(seconds: Double, calls: Int, latencyMs: Double = BASE_MS): Double = TASKS * calls * latencyMs / 1e3 / seconds

    fun threadsFor(time: LoomTime): Double = threadsFor(time.seconds, time.calls, BASE_MS + time.delayMs)
}

/** The table of source 002, with the ratio of pool to virtual threads there and here: above 1, virtual threads are faster. */
public fun Trials<Tasks>.besideLoomSource(): AnyFrame {
    val here = crossoverRounds()

    fun virtual(pool: LoomTime) = LoomSource.of(LoomSource.VIRTUAL, pool.calls, pool.delayMs)

    fun ours(pool: LoomTime) = here.filter { it.calls == pool.calls && it.pool == LoomSource.POOL }.ratioAt(pool.delayMs)
    return LoomSource.ofPool
        .toDataFrame {
            Factor.CALLS from { it.calls }
            Factor.DELAY_MS from { it.delayMs }
            "sourcePoolSeconds" from { "$it" }
            "sourceVirtualSeconds" from { "${virtual(it)}" }
            "sourcePoolToVirtual" from { Estimate.rounded(it.seconds / virtual(it).seconds) }
            "ourPoolToVirtual" from { ours(it).shown("not measured") }
        }.from(this)
}

/**
 * How many threads source 002's pool must have had, computed in two ways from its own figures: from each time with a base of 4 ms, and from
 * what each further millisecond of delay adds.
 */
public fun loomPoolSizes(): AnyFrame =
    LoomSource.ofPool.toDataFrame {
        Factor.CALLS from { it.calls }
        Factor.DELAY_MS from { it.delayMs }
        "threadsByBaseOf4Ms" from { Estimate.rounded(LoomSource.threadsFor(it)) }
        "threadsByLastMs" from { time ->
            val before = if (time.delayMs > 0) LoomSource.of(time.executor, time.calls, time.delayMs - 1) else null
            before?.let { Estimate.rounded(LoomSource.threadsFor(time.seconds - it.seconds, time.calls, 1.0)) }.orEmpty()
        }
    }
