package clientlab.burst

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*
import kotlin.time.Duration.Companion.milliseconds

/** The probes of the threads of one burst: a follower during the whole burst, and a snapshot on the plateau. */
internal class BurstProbes(
    server: ServerProbe,
    threads: ThreadProbe,
    baseline: ThreadBaseline,
    private val inFlight: Int,
    delayMs: Long,
    onPlateau: () -> Unit = {},
) : AutoCloseable {
    private val follower = ThreadFollower()
    private val watch =
        PlateauWatch(server, threads, baseline, inFlight, (delayMs / 5).milliseconds.coerceAtLeast(100.milliseconds), onPlateau)

    private lateinit var cost: FollowingCost
    private lateinit var watched: Watched

    /**
     * Stops looking. Call it as soon as the burst has ended, and before anything else asks the server, because the watch asks on the same
     * connection. Rethrows what went wrong in the watch.
     */
    fun stop() {
        follower.stop()
        cost = follower.cost()
        watched = watch.finish()
    }

    /** Their results, when the server has reported [peakInFlight]. */
    fun found(peakInFlight: Long): BurstThreads {
        val plateau = watched.plateau
        val kept = plateau?.takeIf { it.kept && onPlateau(it.inFlight, peakInFlight) }
        return BurstThreads(
            kept = kept != null,
            cpuSeconds = cost.cpuSeconds + watched.cost.cpuSeconds,
            allocatedBytes = cost.allocatedBytes + watched.cost.allocatedBytes,
            metrics =
                buildMap {
                    tell(CommonMetrics.threadsPeak, follower.peak)
                    tell(BurstMetrics.followerDumps, cost.dumps)
                    put(BurstMetrics.followerDumpMs, cost.dumping.inWholeMicroseconds / 1e3 / cost.dumps.coerceAtLeast(1))
                    put(BurstMetrics.followerCpuSeconds, cost.cpuSeconds)
                    put(BurstMetrics.plateauCpuSeconds, watched.cost.cpuSeconds)
                    kept?.let { putAll(plateauMetrics(it)) }
                },
            byOwner = kept?.threads?.byOwner.orEmpty(),
            curves = follower.curves(),
        )
    }

    override fun close(): Unit = follower.close()

    /** A wave may briefly hold one request more when one wave follows another. A complete burst has all requests in flight. */
    private fun onPlateau(held: Long, peak: Long) = held == peak || (peak < inFlight && held >= peak * SEAM)

    private companion object {
        private const val SEAM = 0.95
    }
}

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

private fun plateauMetrics(plateau: Plateau): Numbers {
    val dump = plateau.threads
    return buildMap {
        tell(BurstMetrics.snapshotInFlight, plateau.inFlight)
        put(BurstMetrics.snapshotAtMs, plateau.atMs)
        put(BurstMetrics.snapshotDumpMs, dump.cost.inWholeMicroseconds / 1e3)
        tell(BurstMetrics.threadsLive, dump.live)
        tell(CommonMetrics.threadsNew, dump.new)
        tell(CommonMetrics.threadsBlocked, dump.blocked)
        tell(BurstMetrics.threadsUnparked, dump.byOwner.filter { it.state in UNPARKED }.sumOf { it.count })
        ThreadState.entries.forEach { tell(BurstMetrics.of(it), dump.count(it)) }
        tell(BurstMetrics.all, dump.source000.all)
        tell(BurstMetrics.active, dump.source000.active)
        tell(BurstMetrics.activeNew, dump.source000.activeNew)
        tell(BurstMetrics.activeUnparked, dump.source000.activeUnparked)
        tell(BurstMetrics.activeUnparkedNew, dump.source000.activeUnparkedNew)
        tell(BurstMetrics.carrierThreads, dump.carriers)
        // Without a carrier there are no virtual threads. If their dump came too late, the number is missing, not zero.
        if (dump.carriers == 0) put(BurstMetrics.virtualThreads, 0.0)
        plateau.virtual?.let {
            tell(BurstMetrics.virtualThreads, it.count)
            put(BurstMetrics.virtualDumpMs, it.cost.inWholeMicroseconds / 1e3)
        }
        tell(CommonMetrics.osThreads, plateau.process.osThreads)
        tell(CommonMetrics.rssBytes, plateau.process.rssBytes)
    }
}

private val UNPARKED = setOf(ThreadState.Running, ThreadState.BlockedInRead, ThreadState.InSelector)
