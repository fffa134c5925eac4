package clientlab.trial

/**
 * The results of a burst's requests as the client saw them. Times are of `System.nanoTime()`.
 *
 * @property durationMs from just before the first request was sent to the end of the last body.
 * @property latenciesMs of the requests that were answered with status 200, from send to the end of the body, ascending.
 * @property errors how often each kind of failure came: the exception's name, or the status.
 * @property example the first failure in full, for the reader.
 * @property askedNanos when the client received each request, by its number; 0 if it did not.
 * @property readNanos when its body had been read and the answer was known to be right; 0 if that never happened.
 */
public class BurstResult(
    public val requests: Int,
    public val durationMs: Double,
    public val latenciesMs: DoubleArray,
    public val errors: Map<String, Int>,
    public val example: String?,
    public val beganNanos: Long = 0,
    public val askedNanos: LongArray = LongArray(requests),
    public val readNanos: LongArray = LongArray(requests),
) {
    public val failed: Int get() = errors.values.sum()
}
