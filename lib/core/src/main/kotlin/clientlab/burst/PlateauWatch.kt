package clientlab.burst

import clientlab.probe.*
import clientlab.trial.*
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import kotlin.time.Duration
import kotlin.time.TimeSource

/**
 * The snapshot from the plateau of a burst.
 *
 * @property inFlight requests in flight as the server reported just before the snapshot.
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

/** A [plateau], or null if there was none, and the cost of the watching thread, which is not the client's. */
public class Watched(public val plateau: Plateau?, public val cost: ThreadCost)

/**
 * Waits, on a thread of the harness, until the server says that [asked] requests are in flight, and then takes the snapshot.
 *
 * It does not use a fixed second as source 000 did, because requests may have started but not arrived by then. If the number stays at k
 * below [asked] for [settle], that is the plateau. If it rises later, the snapshot is taken again.
 *
 * @param onPlateau called once on the plateau, before the first snapshot.
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

    /** Ends the watch after the burst, and returns its results. Rethrows an error of the watch. */
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
        val seen = StandStill(settle)
        while (!finished) {
            val awaited = server.await(asked, POLL)
            if (awaited.reached) return snapshot(awaited.inFlight)
            seen.see(awaited.inFlight)
            val wanted = plateau == null || !plateau.kept || seen.level > plateau.inFlight
            if (wanted && seen.reached) plateau = snapshot(seen.level)
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
}
