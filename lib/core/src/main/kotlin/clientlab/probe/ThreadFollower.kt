package clientlab.probe

import clientlab.*
import java.lang.management.ManagementFactory
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.nanoseconds

/**
 * Counts platform threads through a whole burst with a cheap dump (innermost frames alone) every [interval].
 *
 * It runs on its own daemon thread, which no count includes. [cost] reports that thread's processor time and allocations, so that they can
 * be subtracted from the client's. The innermost frame distinguishes parked from not parked, and nothing more.
 */
public class ThreadFollower(private val interval: Duration = 20.milliseconds) : AutoCloseable {
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

    /** The most platform threads in any dump. */
    public val peak: Int get() = live.peak

    /** The cost so far: processor seconds and allocated bytes of its thread, the number of dumps, and the time spent in them. */
    public fun cost(): FollowingCost =
        FollowingCost(
            cpuSeconds = threads.getThreadCpuTime(thread.threadId()).coerceAtLeast(0) / 1e9,
            allocatedBytes = threads.getThreadAllocatedBytes(thread.threadId()).coerceAtLeast(0),
            dumps = dumps,
            dumping = dumping,
        )

    /** Takes no further dump. The thread lives until [close], because the cost of an ended thread cannot be read. */
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

/** The cost of a [ThreadFollower]. */
public data class FollowingCost(
    val cpuSeconds: Double,
    val allocatedBytes: Long,
    val dumps: Int,
    val dumping: Duration,
)
