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

/** What delays are drawn from. A draw is the quantile of one number from 0 to 1, so that it needs no state. */
internal fun interface DelayDistribution {
    /** The delay in seconds below which a share of [probability] lies. */
    fun quantile(probability: Double): Double

    /** A family by its name in a query; [example] is one that can be drawn from. */
    enum class Kind(val shown: String, val example: String, val meaning: String) {
        NORMAL("normal(mean,sd)", "normal(100ms,20ms)", "the normal distribution of that mean and standard deviation"),
        LOGNORMAL("lognormal(median,sigma)", "lognormal(100ms,0.5)", LOGNORMAL_MEANING),
        EXP("exp(mean)", "exp(100ms)", "the exponential one of that mean"),
        UNIFORM("uniform(from,to)", "uniform(50ms,150ms)", "any delay between the two"),
        PARETO("pareto(least,shape)", "pareto(20ms,1.5)", "the Pareto one: a long tail, the longer the smaller its shape"),
        STALLS("stalls(delay,length,every)", "stalls(5ms,1s,10s)", STALLS_MEANING),
        QUEUE("queue(service,name)", "queue(2ms,mine)", QUEUE_MEANING),
        FILE("file(name)", "file(name)", "the values of a file that the server was started with (--delays name=file)"),
        ;

        val key: String = name.lowercase()
    }
}

private const val LOGNORMAL_MEANING = "the log-normal one of that median, sigma being the standard deviation of the logarithm"
private const val STALLS_MEANING = "that delay, but nothing is answered in the last length of every such time: a server that pauses"

private const val QUEUE_MEANING =
    "one request at a time, each for that long, in the queue of that name: a server with one worker, which also works for callers that have gone"

private typealias Kind = DelayDistribution.Kind

/** The values of a file, each as likely as any other. */
internal class RecordedDelays(private val nanos: LongArray) : DelayDistribution {
    override fun quantile(probability: Double): Double = nanos[(probability * nanos.size).toInt().coerceAtMost(nanos.size - 1)] / 1e9
}

/** Parses a distribution from a query, such as `normal(100ms,20ms)`; throws [BadRequest] with a sentence if it is none. */
internal class DelayParser(private val recorded: Map<String, DelayDistribution>, private val clock: () -> Long = sinceNow()) {
    private val last = object : LinkedHashMap<String, DelayDistribution>(MOST_KEPT, 0.75f, true) {
        override fun removeEldestEntry(eldest: Map.Entry<String, DelayDistribution>): Boolean = size > MOST_KEPT
    }

    val kept: Int get() = last.size

    /** Whether [text] is meant as a distribution, also if it is a wrong one. */
    fun isMeant(text: String): Boolean = text.endsWith(')') && '(' in text

    fun read(text: String): DelayDistribution = last[text] ?: parsed(text).also { if (text.length <= MOST_KEPT_TEXT) last[text] = it }

    private fun parsed(text: String): DelayDistribution {
        val name = text.substringBefore('(')
        val kind = Kind.entries.find { it.key == name } ?: throw BadRequest(
            "delay=${quoted(text)} is of no kind known here: give seconds, or one of ${Kind.entries.joinToString { it.shown }}.",
        )
        val values = text.substring(name.length + 1, text.length - 1).split(',').map { it.trim() }
        if (kind == Kind.FILE) return recorded(values.joinToString(","))
        val read = when (kind) {
            Kind.STALLS -> stalls(values)
            Kind.QUEUE -> queue(values)
            else -> distribution(kind, values)
        }
        return read ?: throw BadRequest(
            "delay=${quoted(text)} cannot be drawn from: give ${kind.shown}, such as ${kind.example}, with times above 0 up to a day.",
        )
    }

    private fun recorded(name: String): DelayDistribution = recorded[name] ?: run {
        val known = if (recorded.isEmpty()) "it was started with none" else "it has ${recorded.keys.joinToString()}"
        throw BadRequest("The server has no delays named ${quoted(name)}, for $known: start it with --delays name=file.")
    }

    /** Answers that are due within the last length of each period wait for its end, as behind a garbage collection. */
    private fun stalls(values: List<String>): DelayDistribution? {
        val nanos = values.mapNotNull { text -> parseTime(text).takeIf { it in 1..LONGEST_NANOS } }
        if (values.size != 3 || nanos.size != 3 || nanos[1] >= nanos[2]) return null
        val (delay, length, every) = nanos
        return DelayDistribution {
            val left = every - Math.floorMod(clock() + delay, every)
            (delay + if (left <= length) left else 0) / 1e9
        }
    }

    /** A request waits for those before it. Each name has a queue of its own, which begins empty. */
    private fun queue(values: List<String>): DelayDistribution? {
        val service = parseTime(values.first())
        if (values.size != 2 || service !in 1..LONGEST_NANOS) return null
        var freeAt = Long.MIN_VALUE
        return DelayDistribution {
            val now = clock()
            freeAt = maxOf(now, freeAt) + service
            (freeAt - now) / 1e9
        }
    }

    private fun distribution(kind: Kind, values: List<String>): DelayDistribution? {
        if (values.size != if (kind == Kind.EXP) 1 else 2) return null
        val first = time(values[0]) ?: return null
        val last = values.last()
        val distribution: ContinuousDistribution? = when (kind) {
            Kind.NORMAL -> time(last)?.let { NormalDistribution.of(first, it) }
            Kind.LOGNORMAL -> shape(last)?.let { LogNormalDistribution.of(ln(first), it) }
            Kind.EXP -> ExponentialDistribution.of(first)
            Kind.UNIFORM -> time(last)?.takeIf { it > first }?.let { UniformContinuousDistribution.of(first, it) }
            Kind.PARETO -> shape(last)?.let { ParetoDistribution.of(first, it) }
            Kind.STALLS, Kind.QUEUE, Kind.FILE -> null
        }
        return distribution?.let { DelayDistribution(it::inverseCumulativeProbability) }
    }

    private fun time(text: String): Double? = parseTime(text).takeIf { it in 1..LONGEST_NANOS }?.let { it / 1e9 }

    private fun shape(text: String): Double? = parseSeconds(text).takeIf { it in 1..MOST_SHAPE_NANOS }?.let { it / 1e9 }

    private companion object {
        const val MOST_KEPT = 64
        const val MOST_KEPT_TEXT = 128
        const val LONGEST_NANOS = 86_400_000_000_000
        const val MOST_SHAPE_NANOS = 100_000_000_000

        fun sinceNow(): () -> Long = System.nanoTime().let { began -> { System.nanoTime() - began } }
    }
}

/** With a seed, the n-th draw is the n-th number of that seed's SplitMix64 sequence (Steele, Lea and Flood 2014): see DECISIONS.md. */
internal class RandomDraws {
    private val unseeded = SplitMix64(SecureRandom().nextLong())

    fun any(): Double = share(unseeded.nextLong())

    fun seeded(seed: Long, number: Long): Double =
        // The state of SplitMix64 grows by a constant per number, so that the a-th number is one step away.
        share(SplitMix64(seed + number * STEP).nextLong())

    private fun share(bits: Long): Double = ((bits ushr 11) + 0.5) / TWO_TO_53
}

private const val STEP = -0x61c8864680b583ebL // 2 to the 64th, divided by the golden ratio
private const val TWO_TO_53 = 9_007_199_254_740_992.0
