package clientlab.server.request

import org.apache.commons.rng.core.source64.SplitMix64
import org.apache.commons.statistics.distribution.ContinuousDistribution
import org.apache.commons.statistics.distribution.ExponentialDistribution
import org.apache.commons.statistics.distribution.LogNormalDistribution
import org.apache.commons.statistics.distribution.NormalDistribution
import org.apache.commons.statistics.distribution.ParetoDistribution
import org.apache.commons.statistics.distribution.UniformContinuousDistribution
import java.security.SecureRandom
import kotlin.math.ln

/**
 * What delays are drawn from: one of the kinds below, or the values of a file.
 *
 * A draw is the quantile of one number from 0 to 1. So every distribution needs one number, and no state.
 */
internal fun interface DelayDistribution {
    /** The delay in seconds below which a share of [probability] lies. */
    fun quantile(probability: Double): Double

    /** A family by its name in a query. */
    enum class Kind(val shown: String, val meaning: String) {
        NORMAL("normal(mean,sd)", "the normal distribution of that mean and standard deviation"),
        LOGNORMAL("lognormal(median,sigma)", "the log-normal one of that median, sigma being the standard deviation of the logarithm"),
        EXP("exp(mean)", "the exponential one of that mean"),
        UNIFORM("uniform(from,to)", "any delay between the two"),
        PARETO("pareto(least,shape)", "the Pareto one: a long tail, the longer the smaller its shape"),
        STALLS(
            "stalls(delay,length,every)",
            "that delay, but nothing is answered in the last length of every such time: a server that pauses",
        ),
        FILE("file(name)", "the values of a file that the server was started with (--delays name=file)"),
        ;

        val key: String = name.lowercase()
    }
}

/** The values of a file, each as likely as any other. */
internal class RecordedDelays(private val nanos: LongArray) : DelayDistribution {
    override fun quantile(probability: Double): Double = nanos[(probability * nanos.size).toInt().coerceAtMost(nanos.size - 1)] / 1e9
}

/**
 * A delay on a server that pauses: answers that are due within the last [lengthNanos] of each [everyNanos] of [clock] wait for its end.
 *
 * Nothing here is random. Every request of a pause is late by the rest of the pause, as behind a garbage collection.
 */
internal class StallingDelays(
    private val delayNanos: Long,
    private val lengthNanos: Long,
    private val everyNanos: Long,
    private val clock: () -> Long,
) : DelayDistribution {
    override fun quantile(probability: Double): Double {
        val due = clock() + delayNanos
        val left = everyNanos - Math.floorMod(due, everyNanos)
        return (delayNanos + if (left <= lengthNanos) left else 0) / 1e9
    }
}

/** Parses a distribution from a query, such as `normal(100ms,20ms)`; throws [BadRequest] with a sentence if it is none. */
internal class DelayParser(private val recorded: Map<String, DelayDistribution>, private val clock: () -> Long = sinceNow()) {
    private val last = object : LinkedHashMap<String, DelayDistribution>(MOST_KEPT, 0.75f, true) {
        override fun removeEldestEntry(eldest: Map.Entry<String, DelayDistribution>): Boolean = size > MOST_KEPT
    }

    /** How many of the last distributions are kept. */
    val kept: Int get() = last.size

    /** Whether [text] is meant as a distribution, also if it is a wrong one. */
    fun isMeant(text: String): Boolean = text.endsWith(')') && '(' in text

    fun read(text: String): DelayDistribution = last[text] ?: parsed(text).also { if (text.length <= MOST_KEPT_TEXT) last[text] = it }

    private fun parsed(text: String): DelayDistribution {
        val name = text.substringBefore('(')
        val kind = DelayDistribution.Kind.entries.find { it.key == name } ?: throw BadRequest(
            "delay=${quoted(
                text,
            )} is of no kind known here: give seconds, or one of ${DelayDistribution.Kind.entries.joinToString { it.shown }}.",
        )
        val values = text.substring(name.length + 1, text.length - 1).split(',').map { it.trim() }
        if (kind ==
            DelayDistribution.Kind.FILE
        ) {
            return recorded[values.joinToString(",")] ?: throw BadRequest(noSuchFile(values.joinToString(",")))
        }
        return delays(kind, values) ?: throw BadRequest(
            "delay=${quoted(text)} cannot be drawn from: give ${kind.shown}, such as ${example(kind)}, with times above 0 up to a day.",
        )
    }

    private fun delays(kind: DelayDistribution.Kind, values: List<String>): DelayDistribution? {
        if (kind == DelayDistribution.Kind.STALLS) return stalls(values)
        val distribution = distribution(kind, values) ?: return null
        return DelayDistribution { distribution.inverseCumulativeProbability(it) }
    }

    private fun stalls(values: List<String>): DelayDistribution? {
        val (delay, length, every) = values.map { text -> parseTime(text).takeIf { it in 1..LONGEST_NANOS } }.takeIf { it.size == 3 }
            ?: return null
        if (delay == null || length == null || every == null || length >= every) return null
        return StallingDelays(delay, length, every, clock)
    }

    private fun distribution(kind: DelayDistribution.Kind, values: List<String>): ContinuousDistribution? {
        if (values.size != if (kind == DelayDistribution.Kind.EXP) 1 else 2) return null
        val first = time(values[0]) ?: return null
        return when (kind) {
            DelayDistribution.Kind.NORMAL -> time(values[1])?.let { NormalDistribution.of(first, it) }
            DelayDistribution.Kind.LOGNORMAL -> shape(values[1])?.let { LogNormalDistribution.of(ln(first), it) }
            DelayDistribution.Kind.EXP -> ExponentialDistribution.of(first)
            DelayDistribution.Kind.UNIFORM -> time(values[1])?.takeIf { it > first }?.let { UniformContinuousDistribution.of(first, it) }
            DelayDistribution.Kind.PARETO -> shape(values[1])?.let { ParetoDistribution.of(first, it) }
            DelayDistribution.Kind.STALLS, DelayDistribution.Kind.FILE -> null
        }
    }

    private fun time(text: String): Double? = parseTime(text).takeIf { it in 1..LONGEST_NANOS }?.let { it / 1e9 }

    private fun shape(text: String): Double? = parseSeconds(text).takeIf { it in 1..MOST_SHAPE_NANOS }?.let { it / 1e9 }

    private fun noSuchFile(name: String): String {
        val known = if (recorded.isEmpty()) "it was started with none" else "it has ${recorded.keys.joinToString()}"
        return "The server has no delays named ${quoted(name)}, for $known: start it with --delays name=file."
    }

    private companion object {
        const val MOST_KEPT = 64
        const val MOST_KEPT_TEXT = 128
        const val LONGEST_NANOS = 86_400_000_000_000
        const val MOST_SHAPE_NANOS = 100_000_000_000

        /** A clock of nanoseconds that starts now. */
        fun sinceNow(): () -> Long = System.nanoTime().let { began -> { System.nanoTime() - began } }

        fun example(kind: DelayDistribution.Kind): String = when (kind) {
            DelayDistribution.Kind.NORMAL -> "normal(100ms,20ms)"
            DelayDistribution.Kind.LOGNORMAL -> "lognormal(100ms,0.5)"
            DelayDistribution.Kind.EXP -> "exp(100ms)"
            DelayDistribution.Kind.UNIFORM -> "uniform(50ms,150ms)"
            DelayDistribution.Kind.PARETO -> "pareto(20ms,1.5)"
            DelayDistribution.Kind.STALLS -> "stalls(5ms,1s,10s)"
            DelayDistribution.Kind.FILE -> "file(name)"
        }
    }
}

/**
 * The random numbers behind drawn delays.
 *
 * With a seed, draw number a is the a-th number (from 0) of the SplitMix64 sequence of that seed (Steele, Lea and Flood 2014). It
 * depends on seed and number alone, so that concurrent requests get the same delays again in any order of arrival.
 */
internal class RandomDraws {
    private val unseeded = SplitMix64(SecureRandom().nextLong())

    /** A number between 0 and 1, without the two. */
    fun any(): Double = share(unseeded.nextLong())

    fun seeded(seed: Long, number: Long): Double =
        // The state of SplitMix64 grows by a constant per number, so that the a-th number is one step away.
        share(SplitMix64(seed + number * STEP).nextLong())

    private fun share(bits: Long): Double = ((bits ushr 11) + 0.5) / TWO_TO_53

    private companion object {
        /** 2 to the 64th, divided by the golden ratio. */
        const val STEP = -0x61c8864680b583ebL
        const val TWO_TO_53 = 9_007_199_254_740_992.0
    }
}
