package clientlab.burst

import clientlab.probe.ProcessProbe
import clientlab.probe.ProcessReading
import clientlab.probe.ServerProbe
import clientlab.probe.ThreadBaseline
import clientlab.probe.ThreadCost
import clientlab.probe.ThreadOwners
import clientlab.probe.ThreadProbe
import clientlab.probe.ThreadSnapshot
import clientlab.probe.VirtualThreadCount
import clientlab.probe.VirtualThreads
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/**
 * What was taken on the plateau of a burst.
 *
 * @property inFlight requests in flight by the server's word, just before the snapshot.
 * @property kept whether as many were still in flight just after it.
 */
public class Plateau(
    public val inFlight: Long,
    public val atMs: Double,
    public val threads: ThreadSnapshot,
    public val process: ProcessReading,
    public val virtual: VirtualThreadCount?,
    public val kept: Boolean,
)

/** A [plateau], or null where there was none, and what watching cost on its own thread, which is not the client's. */
public class Watched(
    public val plateau: Plateau?,
    public val cost: ThreadCost,
)

/**
 * Waits, on a thread of the harness, for the server's word that [asked] requests are in flight, and takes the snapshot then.
 *
 * Not after a fixed second, as source 000 did: by then the requests may have started and not arrived. Where the number stays at k below
 * [asked] for [settle], that is the plateau; should it rise later, the snapshot is taken anew.
 *
 * @param onPlateau what is done once, on the plateau and before the first snapshot.
 */
public class PlateauWatch(
    private val server: ServerProbe,
    private val threads: ThreadProbe,
    private val baseline: ThreadBaseline,
    private val asked: Int,
    private val settle: Duration,
    private val onPlateau: () -> Unit = {},
) {
    private val began = TimeSource.Monotonic.markNow()

    private var there = false

    @Volatile private var finished = false
    private val task = FutureTask { Watched(watch(), ProcessProbe.currentThread()) }

    init {
        Thread
            .ofPlatform()
            .daemon()
            .name("${ThreadOwners.HARNESS_PREFIX}plateau")
            .start(task)
    }

    /** Tells that the burst has ended, and returns what was watched. Rethrows what went wrong in watching. */
    public fun finish(): Watched {
        finished = true
        return try {
            task.get()
        } catch (e: ExecutionException) {
            throw e.cause ?: e
        }
    }

    private fun watch(): Plateau? {
        var plateau: Plateau? = null
        var level = 0L
        var since = TimeSource.Monotonic.markNow()
        while (!finished) {
            val awaited = server.await(asked, POLL)
            if (awaited.reached) return snapshot(awaited.inFlight)
            if (awaited.inFlight != level) {
                level = awaited.inFlight
                since = TimeSource.Monotonic.markNow()
            }
            val wanted = plateau == null || !plateau.kept || level > plateau.inFlight
            if (level > 0 && wanted && since.elapsedNow() >= settle) plateau = snapshot(level)
        }
        return plateau
    }

    private fun snapshot(inFlight: Long): Plateau {
        if (!there) onPlateau()
        there = true
        val process = ProcessProbe.read()
        val dump = threads.snapshot(baseline)
        val kept = server.evidence().inFlight >= inFlight
        val virtual = if (dump.carriers > 0) VirtualThreads.count(dump.platformIds) else null
        val keptThroughout = kept && (virtual == null || server.evidence().inFlight >= inFlight)
        return Plateau(
            inFlight = inFlight,
            atMs = began.elapsedNow().inWholeMicroseconds / 1e3,
            threads = dump,
            process = process,
            virtual = virtual.takeIf { keptThroughout },
            kept = kept,
        )
    }

    private companion object {
        private val POLL = 25.milliseconds
    }
}
