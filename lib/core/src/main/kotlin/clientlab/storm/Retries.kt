package clientlab.storm

import clientlab.*
import kotlinx.serialization.Serializable
import kotlin.math.pow
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * What a caller does when a request has failed: at most so many further [attempts], each after a pause. What a client repeats by itself is
 * not counted here.
 *
 * @property pause the pause before the first further attempt.
 * @property factor by how much each pause is longer than the one before.
 * @property jitter whether a pause is drawn evenly between nothing and its length (M. Brooker, *Exponential Backoff And Jitter*, 2015).
 * @property budget how many further attempts there may be for each request on the average, as 0.1 for one in ten; null sets no limit. At most
 *   ten are saved up (B. Beyer et al., *Site Reliability Engineering*, 2016, chapter 21).
 */
@Serializable
public data class Retries(
    val attempts: Int = 0,
    val pause: Duration = Duration.ZERO,
    val factor: Double = 1.0,
    val jitter: Boolean = false,
    val budget: Double? = null,
) {
    init {
        refuseUnless(attempts in 0..MOST) { "$attempts further attempts are impossible: 0 to $MOST are." }
        refuseUnless(pause >= Duration.ZERO) { "A pause of $pause is impossible: it is 0 s or longer." }
        refuseUnless(factor >= 1) { "A factor of $factor is impossible: a pause is as long as the one before, or longer." }
        refuseUnless(budget == null || budget > 0) {
            "A budget of $budget is impossible: it is more than 0, as 0.1 for one further attempt in ten requests; null sets no limit."
        }
    }

    /** How long the caller waits before further attempt number [number], from 0; [share] draws the part of it where there is jitter. */
    internal fun pauseBefore(number: Int, share: () -> Double): Duration = pause * factor.pow(number) * (if (jitter) share() else 1.0)

    /** How long all pauses take together at most. */
    internal val pauses: Duration get() = (0 until attempts).fold(Duration.ZERO) { sum, number -> sum + pauseBefore(number) { 1.0 } }

    /** Its spelling in treatments, as in `3 after 100 ms, times 2, jitter`. */
    val label: String
        get() = when {
            attempts == 0 -> "none"

            else -> listOfNotNull(
                if (pause == Duration.ZERO) "$attempts at once" else "$attempts after ${pause.inWholeMilliseconds} ms",
                "times ${plain(factor)}".takeIf { factor > 1 },
                "jitter".takeIf { jitter },
                budget?.let { "budget ${plain(it)}" },
            ).joinToString()
        }

    override fun toString(): String = label

    /** What is left of its [budget]. For one thread. */
    internal inner class Budget {
        private var left = 0.0

        /** A request is sent for the first time. */
        fun earn() {
            left = minOf(left + (budget ?: return), SAVED)
        }

        /** Whether a further attempt may be made; then it is paid for. */
        fun pay(): Boolean {
            if (budget == null) return true
            if (left < 1) return false
            left--
            return true
        }
    }

    public companion object {
        private const val MOST = 10
        private const val SAVED = 10.0

        private fun plain(number: Double) = number.toBigDecimal().stripTrailingZeros().toPlainString()

        public val none: Retries = Retries()

        /** So many [attempts] without a pause. */
        public fun immediate(attempts: Int = 3): Retries = Retries(attempts)

        /** So many [attempts] with pauses that double, beginning with [first], and jitter. */
        public fun exponential(attempts: Int = 3, first: Duration = 100.milliseconds): Retries =
            Retries(attempts, first, factor = 2.0, jitter = true)

        /** As [exponential], for one request in ten on the average. */
        public fun budgeted(attempts: Int = 3, budget: Double = 0.1): Retries = exponential(attempts).copy(budget = budget)
    }
}
