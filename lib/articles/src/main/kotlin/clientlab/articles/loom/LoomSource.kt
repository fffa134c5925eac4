package clientlab.articles.loom

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.tasks.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * A time that source 002 (D. Vlijmincx, *Virtual vs Platform Threads for API Calls*, 2024) reports for 10,000 tasks.
 *
 * @property error half of its interval as JMH prints it: 99.9 %, over ten iterations of one fork.
 */
internal data class LoomTime(
    val executor: String,
    val calls: Int,
    val delayMs: Int,
    val seconds: Double,
    val error: Double,
) {
    val low: Double get() = seconds - error
    val high: Double get() = seconds + error
}

/** The figures of source 002 as published. */
internal object LoomSource {
    const val TASKS: Int = 10_000

    /** The iterations behind each time. They are from one fork, so the intervals are too narrow. */
    const val ITERATIONS: Int = 10

    /** The time of a call without the delay, as its text says. */
    const val BASE_MS: Double = 4.0

    const val VIRTUAL: String = "virtual"
    const val POOL: String = "pool-processors"

    val times: List<LoomTime> by lazy {
        LoomTime::class.java.sourceFigures("source-002.csv").map { row ->
            LoomTime(
                executor = row.getValue("executor"),
                calls = row.getValue("calls").toInt(),
                delayMs = row.getValue("delayMs").toInt(),
                seconds = row.getValue("seconds").toDouble(),
                error = row.getValue("error").toDouble(),
            )
        }
    }

    fun of(executor: String, calls: Int, delayMs: Int): LoomTime =
        times.first { it.executor == executor && it.calls == calls && it.delayMs == delayMs }

    /** The threads that the pool must have had for [time], if a call takes [latencyMs] and each thread makes one call at a time. */
    fun threadsFor(seconds: Double, calls: Int, latencyMs: Double): Double = TASKS * calls * latencyMs / 1e3 / seconds
}

/** The table of source 002, with the ratio of pool to virtual threads there and here: above 1, virtual threads are faster. */
public fun Trials<Tasks>.besideLoomSource(): AnyFrame {
    val here = crossoverRounds()
    val points = LoomSource.times.filter { it.executor == LoomSource.POOL }
    val ratios = points.map { point ->
        here.filter { it.calls == point.calls && it.pool == LoomSource.POOL }.ratioAt(point.delayMs)
    }
    return dataFrameOf(
        points.map { it.calls }.toColumn(Factor.CALLS),
        points.map { it.delayMs }.toColumn(Factor.DELAY_MS),
        points.map { "${it.seconds} ± ${it.error}" }.toColumn("sourcePoolSeconds"),
        points
            .map { p -> LoomSource.of(LoomSource.VIRTUAL, p.calls, p.delayMs).let { "${it.seconds} ± ${it.error}" } }
            .toColumn("sourceVirtualSeconds"),
        points
            .map { p -> Estimate.rounded(p.seconds / LoomSource.of(LoomSource.VIRTUAL, p.calls, p.delayMs).seconds) }
            .toColumn("sourcePoolToVirtual"),
        ratios.map { if (it.n == 0) "not measured" else it.toString() }.toColumn("ourPoolToVirtual"),
    ).from(this)
}

/**
 * How many threads source 002's pool must have had, computed in two ways from its own figures: from each time with a base of 4 ms, and from
 * what each further millisecond of delay adds.
 */
public fun loomPoolSizes(): AnyFrame {
    val points = LoomSource.times.filter { it.executor == LoomSource.POOL }
    return dataFrameOf(
        points.map { it.calls }.toColumn(Factor.CALLS),
        points.map { it.delayMs }.toColumn(Factor.DELAY_MS),
        points
            .map { Estimate.rounded(LoomSource.threadsFor(it.seconds, it.calls, LoomSource.BASE_MS + it.delayMs)) }
            .toColumn("threadsByBaseOf4Ms"),
        points
            .map { point ->
                if (point.delayMs == 0) return@map ""
                val more = point.seconds - LoomSource.of(point.executor, point.calls, point.delayMs - 1).seconds
                Estimate.rounded(LoomSource.threadsFor(more, point.calls, 1.0))
            }.toColumn("threadsByLastMs"),
    )
}
