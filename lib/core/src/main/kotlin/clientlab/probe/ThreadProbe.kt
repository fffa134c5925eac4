package clientlab.probe

import clientlab.ThreadCount
import clientlab.ThreadState
import kotlinx.serialization.Serializable
import java.lang.management.ManagementFactory
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds

/**
 * The platform threads before a burst: what "new" is told against.
 *
 * A worker that was parked idle then and is not now has been taken into use, and counts as new: pools that clients share, like that of
 * kotlinx.coroutines, would otherwise hide what runs on them.
 */
public class ThreadBaseline internal constructor(
    internal val live: Set<Thread>,
    internal val idle: Set<Thread>,
    internal val activeUnparked: Set<Thread>,
)

/**
 * Counts of platform threads at one moment; threads of the harness are in none of them.
 *
 * @property live all there are; [new] those not there at the baseline, and those parked idle then and not now.
 * @property byOwner the new ones by owner and by what they did.
 * @property carriers threads that carry virtual threads, new or not.
 * @property source000 the counts of source 000's code, by its own rules.
 * @property cost how long the dump took.
 */
public class ThreadSnapshot(
    public val live: Int,
    public val new: Int,
    public val byOwner: List<ThreadCount>,
    public val carriers: Int,
    public val platformIds: Set<Long>,
    public val source000: Source000Counts,
    public val cost: Duration,
) {
    /** New threads that were in [state]. */
    public fun count(state: ThreadState): Int = byOwner.filter { it.state == state }.sumOf { it.count }

    /** New threads that were each held by one request. */
    public val blocked: Int get() = byOwner.filter { it.state.blocked }.sumOf { it.count }
}

/**
 * The counts of source 000 (M. Moskała, *How many threads your network client uses?*, 2024, and its code).
 *
 * *Active* is alive and not interrupted; *unparked* is active with an innermost frame not named `park`; *new* is not among the threads
 * that were active and unparked before, so that a thread which was there, but parked, counts as new.
 */
public data class Source000Counts(
    val all: Int,
    val active: Int,
    val activeNew: Int,
    val activeUnparked: Int,
    val activeUnparkedNew: Int,
)

/**
 * Counts platform threads by one deep dump: every thread with its whole stack.
 *
 * Virtual threads are in no such dump; see [VirtualThreads].
 *
 * @param inRequest whether a class of this name stands on a stack only while a request is under way there.
 */
public class ThreadProbe(
    private val owners: ThreadOwners,
    private val inRequest: (String) -> Boolean,
) {
    /** The threads there are now. */
    public fun baseline(): ThreadBaseline {
        val dump = dump()
        return ThreadBaseline(
            live = dump.keys,
            idle = dump.filterValues { threadStateOf(it, inRequest) == ThreadState.ParkedIdle }.keys,
            activeUnparked = dump.filter { (thread, stack) -> isActive(thread) && !parkedByTopFrame(stack) }.keys,
        )
    }

    /** The threads there are now, against [baseline]. */
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
            carriers = dump.keys.count { it.javaClass.simpleName == "CarrierThread" },
            platformIds = dump.keys.mapTo(HashSet()) { it.threadId() },
            source000 = source000(dump, baseline),
            cost = cost,
        )
    }

    /** Names of the live threads that were not there at [baseline], without those of the harness. */
    public fun newNames(baseline: ThreadBaseline): List<String> =
        dump()
            .keys
            .filter { it !in baseline.live && it.isAlive }
            .map { it.name }
            .sorted()

    /** A thread that waits for a monitor looks, by its stack, as if it ran. */
    private fun stateOf(thread: Thread, stack: Array<StackTraceElement>): ThreadState =
        threadStateOf(stack, inRequest).let {
            if (it == ThreadState.Running &&
                thread.state == Thread.State.BLOCKED
            ) {
                ThreadState.Waiting
            } else {
                it
            }
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

    public companion object {
        /** Platform threads that the JVM has now, those of the harness among them; costs microseconds. */
        public fun liveCount(): Int = ManagementFactory.getThreadMXBean().threadCount
    }
}
