package clientlab.probe

import clientlab.ThreadState
import java.lang.management.ManagementFactory
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.nanoseconds

/**
 * Follows the number of platform threads through a whole burst with a cheap dump, of the innermost frame alone, every [interval].
 *
 * It runs on a daemon thread of its own, which no count includes, and whose processor time and allocations [cost] reports so that they
 * can be taken off the client's. The innermost frame tells parked from not parked, and nothing finer.
 */
public class ThreadFollower(
    private val interval: Duration = 20.milliseconds,
) : AutoCloseable {
    private val threads = ManagementFactory.getThreadMXBean() as com.sun.management.ThreadMXBean
    private val live = Curve()
    private val unparked = Curve()
    private var dumps = 0
    private var dumping = Duration.ZERO

    @Volatile private var following = true
    private val began = System.nanoTime()
    private val thread = Thread
        .ofPlatform()
        .daemon()
        .name("${ThreadOwners.HARNESS_PREFIX}follower")
        .start(::follow)

    /** `live` and `unparked`: platform threads by milliseconds since the follower was started. */
    public fun curves(): Map<String, List<List<Double>>> = mapOf("live" to live.points(), "unparked" to unparked.points())

    /** The most platform threads that any dump saw. */
    public val peak: Int get() = live.peak

    /** What following has cost so far: processor seconds and bytes allocated on its own thread, dumps taken and time spent in them. */
    public fun cost(): FollowingCost =
        FollowingCost(
            cpuSeconds = threads.getThreadCpuTime(thread.threadId()).coerceAtLeast(0) / 1e9,
            allocatedBytes = threads.getThreadAllocatedBytes(thread.threadId()).coerceAtLeast(0),
            dumps = dumps,
            dumping = dumping,
        )

    /** Takes no further dump. The thread lives on until [close], for the cost of an ended thread cannot be read. */
    public fun stop() {
        following = false
    }

    override fun close() {
        following = false
        thread.interrupt()
        thread.join()
    }

    private fun follow() {
        try {
            while (true) {
                if (following) dump()
                Thread.sleep(interval.inWholeMilliseconds)
            }
        } catch (_: InterruptedException) {
            // Closed.
        }
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

/** What a [ThreadFollower] has cost. */
public data class FollowingCost(
    val cpuSeconds: Double,
    val allocatedBytes: Long,
    val dumps: Int,
    val dumping: Duration,
)
