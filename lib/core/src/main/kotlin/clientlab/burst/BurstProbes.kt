package clientlab.burst

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/**
 * The results about the threads of a burst.
 *
 * @property kept whether the snapshot was taken on the plateau; otherwise there is no count.
 * @property cpuSeconds and [allocatedBytes] the cost of the probes, which is not the client's.
 */
internal class BurstThreads(
    val kept: Boolean = true,
    val cpuSeconds: Double = 0.0,
    val allocatedBytes: Long = 0,
    val metrics: Numbers = emptyMap(),
    val byOwner: List<ThreadCount> = emptyList(),
    val curves: Map<String, List<List<Double>>> = emptyMap(),
)

/**
 * The snapshot from the plateau of a burst.
 *
 * @property inFlight requests in flight as the server reported just before the snapshot.
 * @property kept whether as many were still in flight just after it.
 */
private class Plateau(
    val inFlight: Long,
    val atMs: Double,
    val threads: ThreadSnapshot,
    val process: ProcessReading,
    val virtual: VirtualThreadCount?,
    val kept: Boolean,
)

/**
 * The probes of the threads of one burst: a follower during the whole burst, and a snapshot on the plateau.
 *
 * A thread of the harness waits until the server says that all requests are in flight, and then takes the snapshot; not after a fixed
 * second as in source 000, because requests may have started but not arrived by then. If fewer are in flight and their number stands
 * still, that is the plateau. If it rises later, the snapshot is taken again.
 *
 * @param onPlateau called once on the plateau, before the first snapshot.
 */
internal class BurstProbes(
    private val server: ServerProbe,
    private val threads: ThreadProbe,
    private val baseline: ThreadBaseline,
    private val inFlight: Int,
    delayMs: Long,
    private val onPlateau: () -> Unit,
) : AutoCloseable {
    private val follower = ThreadFollower()
    private val settle = (delayMs / 5).milliseconds.coerceAtLeast(100.milliseconds)
    private val began = TimeSource.Monotonic.markNow()
    private var isThere = false

    @Volatile private var finished = false
    private val task = FutureTask { watch() to ProcessProbe.currentThread() }
    private lateinit var following: FollowingCost
    private lateinit var watching: ThreadCost
    private var plateau: Plateau? = null

    init {
        thread(isDaemon = true, name = "${ThreadOwners.HARNESS_PREFIX}plateau", block = task::run)
    }

    /**
     * Stops looking. Call it as soon as the burst has ended, and before anything else asks the server, because the watch asks on the same
     * connection. Rethrows a failure of the thread that waited for the plateau.
     */
    fun stop() {
        follower.stop()
        following = follower.cost()
        finished = true
        val (found, cost) =
            try {
                task.get()
            } catch (e: ExecutionException) {
                throw e.cause ?: e
            }
        plateau = found
        watching = cost
    }

    /** Their results, when the server has reported [peakInFlight]. */
    fun found(peakInFlight: Long): BurstThreads {
        val kept = plateau?.takeIf { it.kept && isPlateau(it.inFlight, peakInFlight) }
        return BurstThreads(
            kept = kept != null,
            cpuSeconds = following.cpuSeconds + watching.cpuSeconds,
            allocatedBytes = following.allocatedBytes + watching.allocatedBytes,
            metrics =
                buildMap {
                    tell(CommonMetrics.threadsPeak, follower.peak)
                    tell(BurstMetrics.followerDumps, following.dumps)
                    tell(BurstMetrics.followerDumpMs, following.dumping.ms / following.dumps.coerceAtLeast(1))
                    tell(BurstMetrics.followerCpuSeconds, following.cpuSeconds)
                    tell(BurstMetrics.plateauCpuSeconds, watching.cpuSeconds)
                    kept?.let { tellPlateau(it) }
                },
            byOwner = kept?.threads?.byOwner.orEmpty(),
            curves = follower.curves(),
        )
    }

    override fun close(): Unit = follower.close()

    /** A wave may briefly hold one request more when one wave follows another. A complete burst has all requests in flight. */
    private fun isPlateau(held: Long, peak: Long) = held == peak || (peak < inFlight && held >= peak * SEAM)

    private fun MutableMap<Metric, Double>.tellPlateau(plateau: Plateau) {
        val dump = plateau.threads
        tell(BurstMetrics.snapshotInFlight, plateau.inFlight)
        tell(BurstMetrics.snapshotAtMs, plateau.atMs)
        tell(BurstMetrics.snapshotDumpMs, dump.cost.ms)
        tell(BurstMetrics.threadsLive, dump.live)
        tell(CommonMetrics.threadsNew, dump.new)
        tell(CommonMetrics.threadsBlocked, dump.blocked)
        tell(BurstMetrics.threadsUnparked, UNPARKED.sumOf(dump::count))
        ThreadState.entries.forEach { tell(BurstMetrics.of(it), dump.count(it)) }
        tell(BurstMetrics.all, dump.source000.all)
        tell(BurstMetrics.active, dump.source000.active)
        tell(BurstMetrics.activeNew, dump.source000.activeNew)
        tell(BurstMetrics.activeUnparked, dump.source000.activeUnparked)
        tell(BurstMetrics.activeUnparkedNew, dump.source000.activeUnparkedNew)
        tell(BurstMetrics.carrierThreads, dump.carriers)
        // Without a carrier there are no virtual threads. If their dump came too late, the number is missing, not zero.
        tell(BurstMetrics.virtualThreads, if (dump.carriers == 0) 0 else plateau.virtual?.count)
        tell(BurstMetrics.virtualDumpMs, plateau.virtual?.cost?.ms)
        tell(CommonMetrics.osThreads, plateau.process.osThreads)
        tell(CommonMetrics.rssBytes, plateau.process.rssBytes)
    }

    private fun watch(): Plateau? {
        var plateau: Plateau? = null
        val seen = StandStill(settle)
        while (!finished) {
            val awaited = server.await(inFlight, POLL)
            if (awaited.reached) return snapshot(awaited.inFlight)
            seen.see(awaited.inFlight)
            val wanted = plateau == null || !plateau.kept || seen.level > plateau.inFlight
            if (wanted && seen.reached) plateau = snapshot(seen.level)
        }
        return plateau
    }

    private fun snapshot(inFlight: Long): Plateau {
        if (!isThere) onPlateau()
        isThere = true
        val process = ProcessProbe.read()
        val dump = threads.snapshot(baseline)
        val kept = server.evidence().inFlight >= inFlight
        val virtual = if (dump.carriers > 0) VirtualThreads.count(dump.platformIds) else null
        val keptThroughout = kept && (virtual == null || server.evidence().inFlight >= inFlight)
        val atMs = began.elapsedNow().inWholeMicroseconds / 1e3
        return Plateau(inFlight, atMs, dump, process, virtual.takeIf { keptThroughout }, kept)
    }

    private companion object {
        private const val SEAM = 0.95
        private val UNPARKED = listOf(ThreadState.Running, ThreadState.BlockedInRead, ThreadState.InSelector)
        private val Duration.ms get() = inWholeMicroseconds / 1e3
    }
}
