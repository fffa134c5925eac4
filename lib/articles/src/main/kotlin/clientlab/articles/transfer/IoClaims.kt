package clientlab.articles.transfer

import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.transfer.*

private const val SOURCE = "001"
private val READING = listOf("transfer-read-2026-11")
private val SENDING = listOf("transfer-socket-2026-11")
private val CLOSING = listOf("transfer-close-2026-11")
private val BULK = listOf("transfer-bulk-2026-11")
private const val READ = "file-read"
private const val SEND = "socket-write"
private const val TIME = "iterationMedianMs"

/**
 * What source 001 (*I'm not going to use ktor as a network client anymore*, 2021) says about moving bytes, what we found when reading it,
 * and what source 000 says about large data.
 *
 * The words set the bounds: "an order of magnitude" means ten times, "several times" means three. All ratios are per round.
 */
internal val ioClaims: List<Claim> =
    listOf(
        Claim(
            id = "io.pipeline",
            source = SOURCE,
            words = "A program that reads a file and pushes it through a socket becomes several times slower with Ktor.",
            figure = "about 150 MB/s before, about 20 with Ktor",
            evidence = SENDING,
            notebook = NOTEBOOK,
        ) { trials -> listOf(slower(trials, "pipeline", "ktor", "stream", Bound(low = 3.0))) },
        Claim(
            id = "io.async-file",
            source = SOURCE,
            words = "AsynchronousFileChannel uses a background thread, and so does every file API that does not block its caller.",
            figure = "stated",
            evidence = READING,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf("async-channel", "ktor", "coroutine").map { means ->
                Part.median(
                    means,
                    "other threads seen inside a read of the file",
                    Bound(low = 1.0),
                    trials.moving(READ, means)?.values("fileThreadsBehind").orEmpty(),
                )
            }
        },
        Claim(
            id = "io.file",
            source = SOURCE,
            words = "Reading a file through Ktor's channel takes an order of magnitude longer than a stream or random access.",
            figure = "1,240 ms against 58.5 and 75.4",
            evidence = READING,
            notebook = NOTEBOOK,
        ) { trials -> listOf("stream", "random-access").map { slower(trials, READ, "ktor", it, Bound(low = 10.0)) } },
        Claim(
            id = "io.socket",
            source = SOURCE,
            words = "Writing to a socket through Ktor takes several times as long as a stream of the JVM's socket.",
            figure = "675 ms against 88",
            evidence = SENDING,
            notebook = NOTEBOOK,
        ) { trials -> listOf(slower(trials, SEND, "ktor", "stream", Bound(low = 3.0))) },
        Claim(
            id = "io.custom",
            source = SOURCE,
            words = "Coroutine IO of one's own over the JDK closes most of the gap between Ktor and streams.",
            figure = "file 66.8 ms (21 times faster than Ktor), socket 120 ms (6.7 times)",
            evidence = READING + SENDING,
            notebook = NOTEBOOK,
        ) { trials -> listOf(READ, SEND).map { Part.median(it, "share of the gap that is closed", Bound(low = 0.5), closed(trials, it)) } },
        Claim(
            id = "io.nio",
            source = SOURCE,
            words = "NIO with callbacks takes longer than blocking IO, even done well.",
            figure = "120 ms against 86",
            evidence = SENDING,
            notebook = NOTEBOOK,
        ) { trials -> listOf("coroutine", "async-channel").map { slower(trials, SEND, it, "stream", Bound(low = 1.0)) } },
        Claim(
            id = "io.alloc",
            source = SOURCE,
            words = "Ktor's IO allocates far more bytes for the same transfer: ten times as many at least.",
            figure = "two graphs",
            evidence = READING + SENDING,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf(READ, SEND).map {
                val ratio = trials.byRound(it, "ktor", "stream", "allocatedBytesPerMiB")
                Part.median("ktor, $it", "bytes allocated / those of stream", Bound(low = 10.0), ratio, floor("allocatedBytesPerMiB"))
            }
        },
        Claim(
            id = "io.close",
            source = SOURCE,
            words = "A closed Ktor socket leaves connections in CLOSE_WAIT or ESTABLISHED.",
            figure = "reported as KTOR-1727",
            evidence = CLOSING,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf(
                Part.median("ktor", "connections left a second after close, by either end first", Bound(low = 1.0), left(trials, "ktor")),
            )
        },
        Claim(
            id = "io.mean",
            source = SOURCE,
            words = "The source compares means; by the medians of its own raw values the file read of its own is 36 times faster, not 21.",
            figure = "means 1,436.75 and 66.75 ms",
            evidence = emptyList(),
            notebook = NOTEBOOK,
        ) {
            val ktor = SOURCE_001.first { it.set == "second" && it.operation == READ && it.mover == "ktor" }
            val own = SOURCE_001.first { it.set == "second" && it.operation == READ && it.mover == "coroutine" }
            listOf(
                published("Ktor's mean / its own", Bound(21.0, 22.0), ktor.mean / own.mean, own),
                published("median of its own, in ms", Bound(39.0, 39.0), own.median, own),
                published("Ktor's median / its own", Bound(36.0, 37.0), ktor.median / own.median, own),
            )
        },
        Claim(
            id = "threads.bulk",
            source = "000",
            words = "For few requests with much data Retrofit may beat Ktor Java and Ktor Apache5.",
            figure = "stated, not measured",
            evidence = BULK,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf("ktor-java", "ktor-apache5").map { other ->
                val ratio = trials.byRound("download", "retrofit", other, TIME)
                Part.median("retrofit", "time / time of $other", Bound(high = 1.0), ratio, floor(TIME))
            }
        },
    )

private fun slower(trials: Trials<*>, operation: String, mover: String, than: String, bound: Bound) =
    Part.median("$mover, $operation", "time / time of $than", bound, trials.byRound(operation, mover, than, TIME), floor(TIME))

private fun floor(metric: String) = NoiseFloors.ratio(Transfer::class, metric)

/** Per round: the share of Ktor's extra time over a stream that our own code saves; nothing if Ktor takes no longer. */
private fun closed(trials: Trials<*>, operation: String): List<Double> {
    fun times(mover: String) = trials
        .moving(operation, mover)
        ?.counted
        .orEmpty()
        .associate { it.round to it.metric(TIME) }
    val (ktor, own, stream) = listOf("ktor", "coroutine", "stream").map(::times)
    return ktor.mapNotNull { (round, slow) ->
        val (mine, fast) = own[round] to stream[round]
        if (slow == null || mine == null || fast == null || slow <= fast) null else (slow - mine) / (slow - fast)
    }
}

/** Per round: connections left open, whichever end closed first. */
private fun left(trials: Trials<*>, mover: String): List<Double> {
    val (here, there) = listOf("close", "peer-close").map { operation ->
        trials
            .moving(operation, mover)
            ?.counted
            .orEmpty()
            .associate { it.round to it.metric("socketsLeft") }
    }
    return here.mapNotNull { (round, count) -> count?.let { there[round]?.plus(it) } }
}

/** A number computed from the source's own figures: it is exact, and no trial changes it. */
private fun published(metric: String, bound: Bound, value: Double, from: SourceTransfer) =
    Part("source 001", metric, bound, Estimate(value, value, value, from.rawMs.size, "computed from the source's raw values"))
