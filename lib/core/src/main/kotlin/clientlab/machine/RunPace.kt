package clientlab.machine

import kotlinx.serialization.Serializable
import java.util.Locale
import kotlin.math.hypot

/** The [pace] between two rounds: [after] one, null if none ended before, and [before] the next, null if none follows. */
@Serializable
public data class PaceReading(val after: Int?, val before: Int?, val pace: Pace)

/**
 * The pace in a round, from the readings before and after it: the times of the spin and of the echo in percent of the run's median round.
 *
 * @property slow a sentence for each of them that makes the round slow.
 */
public data class RoundPace(val round: Int, val spinPercent: Double?, val echoPercent: Double?, val slow: List<String>)

/** The pace of one machine over a run, from its [readings] in their order. */
public class RunPace(private val readings: List<PaceReading>) {
    /**
     * The rounds with a reading before and one after them. A round is slow if the mean of both is more than 3 % above the median round, and
     * more than three standard errors.
     */
    public val rounds: List<RoundPace> by lazy {
        val times = readings.mapNotNull { it.after }.distinct().sorted().mapNotNull { round -> of(round)?.let { round to it } }
        if (times.isEmpty()) return@lazy emptyList()
        val read = Reference.entries.filter { of -> times.all { (_, here) -> of in here } }
        val usual = read.associateWith { of -> median(times.map { (_, here) -> here.getValue(of).value }) }
        times.map { (round, here) ->
            val percents = read.associateWith { PERCENT * here.getValue(it).value / usual.getValue(it) }
            val slow = read.filter { here.getValue(it).exceeds(usual.getValue(it)) }
            val because = slow.map { "The ${it.words} took ${one(percents.getValue(it) - PERCENT)} % more than in the median round." }
            RoundPace(round, percents[Reference.SPIN], percents[Reference.ECHO], because)
        }
    }

    /** What the spin took in the middle of the run, in milliseconds; null without readings. The spin is the same in every run. */
    public val spinMs: Double? get() = readings.map { it.pace.spinMs }.takeIf { it.isNotEmpty() }?.let(::median)

    /** A finding for each reference load whose time moved by more than 3 % over the run, and by more than its noise. */
    public fun findings(): List<Finding> = Reference.entries.mapNotNull { reference ->
        val all = readings.mapNotNull { reference.of(it.pace) }
        val least = all.minByOrNull { it.value } ?: return@mapNotNull null
        val most = all.maxBy { it.value }
        if (!most.exceeds(least.value, least.error)) return@mapNotNull null
        val percent = one(PERCENT * (most.value / least.value - 1))
        val range = "${one(least.value)} to ${one(most.value)} ${reference.unit}"
        Finding(
            "The machine's pace moved by $percent % over the run: the ${reference.words} took $range.",
            "pace moved by $percent % (${reference.words})",
        )
    }

    private fun of(round: Int): Map<Reference, Time>? {
        val before = readings.lastOrNull { it.before == round }?.pace ?: return null
        val after = readings.last { it.after == round }.pace
        return Reference.entries.mapNotNull { of -> of.of(before)?.let { first -> of.of(after)?.let { of to first.meanWith(it) } } }.toMap()
    }

    private fun median(values: List<Double>): Double = values.sorted().let { (it[it.size / 2] + it[(it.size - 1) / 2]) / 2 }

    private fun one(value: Double) = "%.1f".format(Locale.ROOT, value)

    private class Time(val value: Double, val error: Double) {
        fun meanWith(other: Time) = Time((value + other.value) / 2, hypot(error, other.error) / 2)

        fun exceeds(usual: Double, usualError: Double = 0.0): Boolean =
            value - usual > MOVES * usual && value - usual > ERRORS * hypot(error, usualError)
    }

    private enum class Reference(val words: String, val unit: String, val of: (Pace) -> Time?) {
        SPIN("reference spin", "ms", { Time(it.spinMs, it.spinErrorMs) }),
        ECHO("loopback echo", "µs", { pace -> pace.echoUs?.let { Time(it, pace.echoErrorUs ?: 0.0) } }),
    }

    private companion object {
        /** The closest claims are about differences of 5 %. A machine that moved by less cannot make or hide one. */
        private const val MOVES = 0.03
        private const val ERRORS = 3
        private const val PERCENT = 100
    }
}
