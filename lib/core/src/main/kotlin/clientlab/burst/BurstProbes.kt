package clientlab.burst

import clientlab.ThreadCount
import clientlab.ThreadState
import clientlab.probe.FollowingCost
import clientlab.probe.ServerProbe
import clientlab.probe.ThreadBaseline
import clientlab.probe.ThreadFollower
import clientlab.probe.ThreadProbe
import kotlin.time.Duration.Companion.milliseconds

/** What looks at the threads of one burst while it is under way: a follower all the time, and a snapshot on the plateau. */
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
     * Looks no further; to be called as soon as the burst has ended, and before anyone else asks the server, for the watch asks on the
     * same connection. Rethrows what went wrong in watching.
     */
    fun stop() {
        follower.stop()
        cost = follower.cost()
        watched = watch.finish()
    }

    /** What they found until [stop], once the server has said [peakInFlight]. */
    fun found(peakInFlight: Long): BurstThreads {
        val plateau = watched.plateau
        val kept = plateau?.takeIf { it.kept && onPlateau(it.inFlight, peakInFlight) }
        return BurstThreads(
            kept = kept != null,
            cpuSeconds = cost.cpuSeconds + watched.cost.cpuSeconds,
            allocatedBytes = cost.allocatedBytes + watched.cost.allocatedBytes,
            metrics =
                buildMap {
                    put("threadsPeak", follower.peak.toDouble())
                    put("followerDumps", cost.dumps.toDouble())
                    put("followerDumpMs", cost.dumping.inWholeMicroseconds / 1e3 / cost.dumps.coerceAtLeast(1))
                    put("followerCpuSeconds", cost.cpuSeconds)
                    put("plateauCpuSeconds", watched.cost.cpuSeconds)
                    kept?.let { putAll(plateauMetrics(it)) }
                },
            byOwner = kept?.threads?.byOwner.orEmpty(),
            curves = follower.curves(),
        )
    }

    override fun close(): Unit = follower.close()

    /** A wave may hold a request more for a moment, at its seam; all that were asked are in flight or not. */
    private fun onPlateau(held: Long, peak: Long) = held == peak || (peak < inFlight && held >= peak * SEAM)

    private companion object {
        private const val SEAM = 0.95
    }
}

/**
 * What was found of the threads of a burst.
 *
 * @property kept whether the snapshot was taken on the plateau; without it there is no count.
 * @property cpuSeconds what finding it cost, and [allocatedBytes] too, which are not the client's.
 */
internal class BurstThreads(
    val kept: Boolean = true,
    val cpuSeconds: Double = 0.0,
    val allocatedBytes: Long = 0,
    val metrics: Map<String, Double> = emptyMap(),
    val byOwner: List<ThreadCount> = emptyList(),
    val curves: Map<String, List<List<Double>>> = emptyMap(),
)

private fun plateauMetrics(plateau: Plateau): Map<String, Double> {
    val dump = plateau.threads
    return buildMap {
        put("snapshotInFlight", plateau.inFlight.toDouble())
        put("snapshotAtMs", plateau.atMs)
        put("snapshotDumpMs", dump.cost.inWholeMicroseconds / 1e3)
        put("threadsLive", dump.live.toDouble())
        put("threadsNew", dump.new.toDouble())
        put("threadsBlocked", dump.blocked.toDouble())
        put(
            "threadsUnparked",
            dump.byOwner
                .filter { it.state in UNPARKED }
                .sumOf { it.count }
                .toDouble(),
        )
        ThreadState.entries.forEach { put("threads${it.name}", dump.count(it).toDouble()) }
        put("all", dump.source000.all.toDouble())
        put("active", dump.source000.active.toDouble())
        put("activeNew", dump.source000.activeNew.toDouble())
        put("activeUnparked", dump.source000.activeUnparked.toDouble())
        put("activeUnparkedNew", dump.source000.activeUnparkedNew.toDouble())
        put("carrierThreads", dump.carriers.toDouble())
        // Without a carrier there is none; where their dump came too late the number is missing, not zero.
        if (dump.carriers == 0) put("virtualThreads", 0.0)
        plateau.virtual?.let {
            put("virtualThreads", it.count.toDouble())
            put("virtualDumpMs", it.cost.inWholeMicroseconds / 1e3)
        }
        plateau.process.osThreads?.let { put("osThreads", it.toDouble()) }
        plateau.process.rssBytes?.let { put("rssBytes", it.toDouble()) }
    }
}

private val UNPARKED = setOf(ThreadState.Running, ThreadState.BlockedInRead, ThreadState.InSelector)
