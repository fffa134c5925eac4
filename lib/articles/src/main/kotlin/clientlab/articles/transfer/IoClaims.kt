package clientlab.articles.transfer

import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.transfer.*

private const val NOTEBOOK = "05-transfer"
private const val READING = "transfer-read-2026-11e"
private const val SENDING = "transfer-socket-2026-11e"
private const val CLOSING = "transfer-close-2026-11"
private const val BULK = "transfer-bulk-2026-11"
private const val VERSIONS = "transfer-versions-2026-11"

/** Ktor when the source measured it (it names reports of early 2021), and Ktor today. */
private const val THEN = "ktor:1.5.4"
private const val NOW = "ktor:3.5.2"
private const val READ = "file-read"
private const val SEND = "socket-write"
private const val ALLOCATED = "allocatedBytesPerMiB"

internal class TransferArticle : NamedArticle(NOTEBOOK, ioClaims)

/**
 * What source 001 (*I'm not going to use ktor as a network client anymore*, 2021) says about moving bytes, what reading it finds, and what
 * source 000 says about large data. "An order of magnitude" means ten times, "several times" means three. All ratios are per round.
 */
internal val ioClaims: List<Claim> = claims(NOTEBOOK, "001") {
    claim("io.pipeline", "about 150 MB/s before, about 20 with Ktor", VERSIONS)
        .says("A program that reads a file and pushes it through a socket becomes several times slower with Ktor.") { trials ->
            thenAndNow { slower(trials, "pipeline", it, "stream", Bound(low = 3.0)) }
        }
    claim("io.async-file", "stated", READING)
        .says("AsynchronousFileChannel uses a background thread, and so does every file API that does not block its caller.") { trials ->
            listOf("async-channel", "ktor", "coroutine").map { means ->
                val behind = trials.moving(READ, means)?.values("fileThreadsBehind").orEmpty()
                Part.median(means, "other threads seen inside a read of the file", Bound(low = 1.0), behind)
            }
        }
    claim("io.file", "1,240 ms against 58.5 and 75.4", VERSIONS)
        .says("Reading a file through Ktor's channel takes an order of magnitude longer than a stream or random access.") { trials ->
            listOf("stream", "random-access").flatMap { than -> thenAndNow { slower(trials, READ, it, than, Bound(low = 10.0)) } }
        }
    claim("io.socket", "675 ms against 88", VERSIONS)
        .says("Writing to a socket through Ktor takes several times as long as a stream of the JVM's socket.") { trials ->
            thenAndNow { slower(trials, SEND, it, "stream", Bound(low = 3.0)) }
        }
    claim("io.custom", "file 66.8 ms (21 times faster than Ktor), socket 120 ms (6.7 times)", VERSIONS)
        .says("Coroutine IO of one's own over the JDK closes most of the gap between Ktor and streams.") { trials ->
            listOf(READ, SEND).map { Part.median("$it, $THEN", "share of the gap that is closed", Bound(low = 0.5), closed(trials, it)) }
        }
    claim("io.nio", "120 ms against 86", SENDING)
        .says("NIO with callbacks takes longer than blocking IO, even done well.") { trials ->
            listOf("coroutine", "async-channel").map { slower(trials, SEND, it, "stream", Bound(low = 1.0)) }
        }
    claim("io.alloc", "two graphs", VERSIONS)
        .says("Ktor's IO allocates far more bytes for the same transfer: ten times as many at least.") { trials ->
            listOf(READ, SEND).flatMap { operation ->
                thenAndNow { ktor ->
                    val ratio = trials.byRound(operation, ktor, "stream", ALLOCATED)
                    val words = "bytes allocated / those of stream"
                    Part.median("$ktor, $operation", words, Bound(low = 10.0), ratio, trials.floor(ALLOCATED))
                }
            }
        }
    claim("io.close", "reported as KTOR-1727", CLOSING)
        .says("A closed socket of Ktor, here 3.5.2, leaves connections in CLOSE_WAIT or ESTABLISHED.") { trials ->
            val (here, there) = listOf("close", "peer-close").map { trials.moved(it, "ktor") }
            val left = perRound(here, there, "socketsLeft") { a, b -> a + b }
            listOf(Part.median("ktor", "connections left a second after close, by either end first", Bound(low = 1.0), left))
        }
    about("io.mean", "means 1,436.75 and 66.75 ms")
        .says("The source compares means; by the medians of its own raw values the file read of its own is 36 times faster, not 21.") {
            val (ktor, own) = listOf("ktor", "coroutine").map { mover ->
                SOURCE_001.first { it.set == "second" && it.operation == READ && it.mover == mover }
            }
            listOf(
                computed("Ktor's mean / its own", Bound(21.0, 22.0), ktor.mean / own.mean, own),
                computed("median of its own, in ms", exactly(39), own.median, own),
                computed("Ktor's median / its own", Bound(36.0, 37.0), ktor.median / own.median, own),
            )
        }
} + claims(NOTEBOOK, "000") {
    claim("threads.bulk", "stated, not measured", BULK)
        .says("For few requests with much data Retrofit may beat Ktor Java and Ktor Apache5.") { trials ->
            listOf("ktor-java", "ktor-apache5").map { other ->
                val ratio = trials.byRound("download", "retrofit", other, TIME)
                Part.median("retrofit", "time / time of $other", Bound(high = 1.0), ratio, trials.floor(TIME))
            }
        }
}

/** The same part for Ktor as the source measured it, and for today's. */
private fun thenAndNow(part: (String) -> Part): List<Part> = listOf(part(THEN).copy(then = true), part(NOW))

private fun slower(trials: Trials<*>, operation: String, mover: String, than: String, bound: Bound) =
    Part.median("$mover, $operation", "time / time of $than", bound, trials.byRound(operation, mover, than, TIME), trials.floor(TIME))

private fun Trials<*>.floor(metric: String) = ratioFloor(Transfer::class, metric)

/** Per round: the share of Ktor's extra time over a stream that our own code saves; nothing if Ktor takes no longer. */
private fun closed(trials: Trials<*>, operation: String): List<Double> {
    val (ktor, own, stream) = listOf(THEN, "coroutine", "stream").map { trials.moving(operation, it)?.byRound(TIME).orEmpty() }
    return ktor.mapNotNull { (round, slow) ->
        val (mine, fast) = own[round] to stream[round]
        if (mine == null || fast == null || slow <= fast) null else (slow - mine) / (slow - fast)
    }
}

/** A number computed from the source's own figures: it is exact, and no trial changes it. */
private fun computed(metric: String, bound: Bound, value: Double, from: SourceTransfer) =
    Part("source 001", metric, bound, Estimate(value, value, value, from.rawMs.size, "computed from the source's raw values"))
