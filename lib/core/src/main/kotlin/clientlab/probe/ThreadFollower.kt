package clientlab.probe

import java.lang.management.ManagementFactory
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.nanoseconds

/** Calls [look] every [interval] on a daemon thread of the harness, until [close]. */
internal class Lookout(name: String, private val interval: Duration, private val look: () -> Unit) : AutoCloseable {
    val watcher: Thread = thread(isDaemon = true, name = "${ThreadOwners.HARNESS_PREFIX}$name", block = ::watch)

    private fun watch() {
        HarnessProcessors.take()
        try {
            while (true) {
                look()
                Thread.sleep(interval.inWholeMilliseconds)
            }
        } catch (_: InterruptedException) {
            // Closed.
        }
    }

    override fun close() {
        watcher.interrupt()
        watcher.join()
    }
}

/** The cost of a [ThreadFollower]: what its thread took, the number of dumps, and the time spent in them. */
internal data class FollowingCost(val cpuSeconds: Double, val allocatedBytes: Long, val dumps: Int, val dumping: Duration)

/**
 * Counts platform threads, parked or not, through a whole burst with a cheap dump (innermost frames alone) every [interval]. No count
 * includes its own thread, and its [cost] can be subtracted from the client's.
 */
internal class ThreadFollower(interval: Duration = 20.milliseconds) : AutoCloseable {
    private val threads = ManagementFactory.getThreadMXBean()
    private val live = Curve()
    private val unparked = Curve()
    private var dumps = 0
    private var dumping = Duration.ZERO

    @Volatile private var following = true
    private val began = System.nanoTime()
    private val lookout = Lookout("follower", interval) { if (following) dump() }

    /** `live` and `unparked`: platform threads by milliseconds since the follower was started. */
    fun curves(): Map<String, List<List<Double>>> = mapOf("live" to live.points(), "unparked" to unparked.points())

    /** The most platform threads in any dump. */
    val peak: Int get() = live.peak

    fun cost(): FollowingCost =
        ProcessProbe.cost(lookout.watcher).let { FollowingCost(it.cpuSeconds, it.allocatedBytes, dumps, dumping) }

    /** Takes no further dump. The thread lives until [close], because the cost of an ended thread cannot be read. */
    fun stop() {
        following = false
    }

    override fun close() {
        following = false
        lookout.close()
    }

    private fun dump() {
        val before = System.nanoTime()
        val infos = threads.dumpAllThreads(false, false, 1)
        val others = infos.filterNot { it.threadName.startsWith(ThreadOwners.HARNESS_PREFIX) }
        val after = System.nanoTime()
        val atMs = (before - began) / 1e6
        live.add(atMs, others.size)
        unparked.add(atMs, others.count { !parkedByTopFrame(it.stackTrace) })
        dumps++
        dumping += (after - before).nanoseconds
    }
}

/** A curve that is read as at most 200 points and keeps its peaks: of neighbours that are put together, the first highest stays. */
internal class Curve {
    private val all = ArrayList<List<Double>>()

    /** The highest value added so far. */
    @Volatile var peak: Int = 0
        private set

    @Synchronized
    fun add(atMs: Double, value: Int) {
        peak = maxOf(peak, value)
        all += listOf(atMs, value.toDouble())
    }

    @Synchronized
    fun points(): List<List<Double>> = all.chunked(all.size / MOST + 1) { points -> points.maxBy { it[1] } }
}

private const val MOST = 200
