package clientlab.probe

import clientlab.*
import java.lang.management.ManagementFactory
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds

/**
 * The platform threads before a burst. A thread is new if it was not there, or was parked idle then and is not now; otherwise pools that
 * clients share, like that of kotlinx.coroutines, would hide what runs on them.
 */
public class ThreadBaseline internal constructor(
    internal val live: Set<Thread>,
    internal val idle: Set<Thread>,
    internal val activeUnparked: Set<Thread>,
)

/**
 * Counts of platform threads at one moment, without those of the harness, and how long the dump took.
 *
 * @property byOwner the [new] threads by owner and activity.
 * @property newNames the names of the [new] threads.
 * @property carriers threads that carry virtual threads, new or not.
 */
public class ThreadSnapshot(
    public val live: Int,
    public val new: Int,
    public val byOwner: List<ThreadCount>,
    public val newNames: List<String>,
    public val carriers: Int,
    public val platformIds: Set<Long>,
    public val source000: Source000Counts,
    public val cost: Duration,
) {
    public fun count(state: ThreadState): Int = byOwner.filter { it.state == state }.sumOf { it.count }

    /** New threads that one request each holds. */
    public val blocked: Int get() = byOwner.filter { it.state.blocked }.sumOf { it.count }
}

/**
 * The counts of source 000 (M. Moskała, *How many threads your network client uses?*, 2024, and its code).
 *
 * *Active* is alive and not interrupted; *unparked* is active with an innermost frame not named `park`; *new* is not among the threads that
 * were active and unparked before, so a thread that was there but parked counts as new.
 */
public data class Source000Counts(val all: Int, val active: Int, val activeNew: Int, val activeUnparked: Int, val activeUnparkedNew: Int)

/**
 * Counts platform threads with one dump of all threads and their whole stacks. The dump lacks virtual threads; see [VirtualThreads].
 *
 * @param inRequest whether a class of this name is on a stack only while a request is in progress there.
 */
public class ThreadProbe(private val owners: ThreadOwners, private val inRequest: (String) -> Boolean) {
    public fun baseline(): ThreadBaseline {
        val dump = dump()
        return ThreadBaseline(
            live = dump.keys,
            idle = dump.filterValues { threadStateOf(it, inRequest) == ThreadState.ParkedIdle }.keys,
            activeUnparked = dump.filter { (thread, stack) -> isActive(thread) && !parkedByTopFrame(stack) }.keys,
        )
    }

    public fun snapshot(baseline: ThreadBaseline): ThreadSnapshot {
        val began = System.nanoTime()
        val dump = dump()
        val cost = (System.nanoTime() - began).nanoseconds
        val states = dump.mapValues { (thread, stack) -> stateOf(thread, stack) }
        val new = states.filter { (thread, now) -> thread !in baseline.live || (thread in baseline.idle && now != ThreadState.ParkedIdle) }
        val byOwner =
            new.entries
                .groupingBy { (thread, now) -> owners.of(thread.name) to now }
                .eachCount()
                .map { (key, count) -> ThreadCount(key.first, key.second, count) }
                .sortedWith(compareByDescending(ThreadCount::count).thenBy { it.owner }.thenBy { it.state })
        return ThreadSnapshot(
            live = dump.size,
            new = new.size,
            byOwner = byOwner,
            newNames = new.keys.map { it.name },
            carriers = dump.keys.count { it.javaClass.simpleName == "CarrierThread" },
            platformIds = dump.keys.mapTo(HashSet()) { it.threadId() },
            source000 = source000(dump, baseline),
            cost = cost,
        )
    }

    /** Names of the live threads that were not there at [baseline]. */
    internal fun newNames(baseline: ThreadBaseline): List<String> =
        (dump().keys - baseline.live).filter { it.isAlive }.map { it.name }.sorted()

    /** The stack of a thread that waits for a monitor looks like that of a running one. */
    private fun stateOf(thread: Thread, stack: Array<StackTraceElement>): ThreadState {
        val state = threadStateOf(stack, inRequest)
        val atMonitor = state == ThreadState.Running && thread.state == Thread.State.BLOCKED
        return if (atMonitor) ThreadState.Waiting else state
    }

    private fun source000(dump: Map<Thread, Array<StackTraceElement>>, baseline: ThreadBaseline): Source000Counts {
        val active = dump.filterKeys(::isActive)
        val unparked = active.filterValues { !parkedByTopFrame(it) }
        return Source000Counts(
            all = dump.size,
            active = active.size,
            activeNew = active.keys.count { it !in baseline.activeUnparked },
            activeUnparked = unparked.size,
            activeUnparkedNew = unparked.keys.count { it !in baseline.activeUnparked },
        )
    }

    private fun dump(): Map<Thread, Array<StackTraceElement>> =
        Thread.getAllStackTraces().filterKeys { !it.name.startsWith(ThreadOwners.HARNESS_PREFIX) }

    private fun isActive(thread: Thread) = thread.isAlive && !thread.isInterrupted

    internal companion object {
        /** The JVM's platform threads now, the harness's included; takes microseconds. */
        fun liveCount(): Int = ManagementFactory.getThreadMXBean().threadCount
    }
}
