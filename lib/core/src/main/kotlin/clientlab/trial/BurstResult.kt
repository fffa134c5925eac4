package clientlab.trial

import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicReference

/**
 * What a burst's requests came to, as the client saw it.
 *
 * @property durationMs from just before the first request was sent to the end of the last body.
 * @property latenciesMs of the requests that were answered with status 200, from send to the end of the body, ascending.
 * @property errors how often each kind of failure came: the exception's name, or the status.
 * @property example the first failure in full, for the reader.
 * @property protocols how often each protocol was told by the client.
 * @property beganNanos when the burst began, by `System.nanoTime()`.
 * @property askedNanos when each request was handed to the client, by its number; 0 where it was not.
 * @property readNanos when its body had been read, and it was known that the answer was right; 0 where that never came.
 */
public class BurstResult(
    public val requests: Int,
    public val durationMs: Double,
    public val latenciesMs: DoubleArray,
    public val errors: Map<String, Int>,
    public val example: String?,
    public val protocols: Map<String, Int>,
    public val beganNanos: Long = 0,
    public val askedNanos: LongArray = LongArray(requests),
    public val readNanos: LongArray = LongArray(requests),
) {
    public val failed: Int get() = errors.values.sum()
}
