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
 */
@Serializable
public data class Retries(
    val attempts: Int = 0,
    val pause: Duration = Duration.ZERO,
    val factor: Double = 1.0,
    val jitter: Boolean = false,
) {
    init {
        refuseUnless(attempts in 0..MOST) { "$attempts further attempts are impossible: 0 to $MOST are." }
        refuseUnless(pause >= Duration.ZERO) { "A pause of $pause is impossible: it is 0 s or longer." }
        refuseUnless(factor >= 1) { "A factor of $factor is impossible: a pause is as long as the one before, or longer." }
    }

    /** How long the caller waits before further attempt number [number], from 0; [share] draws the part of it where there is jitter. */
    internal fun pauseBefore(number: Int, share: () -> Double): Duration = pause * factor.pow(number) * (if (jitter) share() else 1.0)

    /** How long all pauses take together at most. */
    internal val pauses: Duration get() = (0 until attempts).fold(Duration.ZERO) { sum, number -> sum + pauseBefore(number) { 1.0 } }

    /** Its spelling in treatments, as in `3 after 100 ms, times 2, jitter`. */
    val label: String
        get() = when {
            attempts == 0 -> "none"

            pause == Duration.ZERO -> "$attempts at once"

            else -> listOfNotNull(
                "$attempts after ${pause.inWholeMilliseconds} ms",
                "times ${factor.toBigDecimal().stripTrailingZeros().toPlainString()}".takeIf { factor > 1 },
                "jitter".takeIf { jitter },
            ).joinToString()
        }

    override fun toString(): String = label

    public companion object {
        private const val MOST = 10

        public val none: Retries = Retries()

        /** So many [attempts] without a pause. */
        public fun immediate(attempts: Int = 3): Retries = Retries(attempts)

        /** So many [attempts] with pauses that double, beginning with [first], and jitter. */
        public fun exponential(attempts: Int = 3, first: Duration = 100.milliseconds): Retries =
            Retries(attempts, first, factor = 2.0, jitter = true)
    }
}
