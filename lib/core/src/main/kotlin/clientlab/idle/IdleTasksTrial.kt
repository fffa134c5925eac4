package clientlab.idle

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * One trial of [IdleTasks], in this JVM: memory before the first task, and again while all of them are there. The memory is read twice
 * before the baseline, because a first reading loads classes and starts the collector's threads.
 */
internal class IdleTasksTrial(private val scope: TrialScope, private val patience: Duration = 30.seconds) {
    private val spec = scope.spec
    private val n = scope.number(Factor.TASKS)
    private val mechanism = Mechanism.entries.first { it.label == spec.treatment[Factor.MECHANISM] }
    private val state = TaskState.entries.first { it.label == spec.treatment[Factor.STATE] }
    private val depth = scope.number(Factor.STACK_DEPTH)
    private val native = spec.treatment[Factor.INSTRUMENT] == MemoryInstrument.Nmt.label

    fun run() {
        if (spec.treatment[Factor.START] == Start.Warm.label) warmUp()
        repeat(LOOKS) { MemoryProbe.read(native) }
        IdleTasksLoad(mechanism, state, depth).use { scope.keep(measure(it)) }
    }

    /** Runs one task, so that everything that its mechanism needs once exists afterwards. */
    private fun warmUp() {
        val load = IdleTasksLoad(mechanism, state, depth)
        load.use {
            it.start(1)
            await { it.settled }
        }
        await { load.ended == 1 }
    }

    private fun measure(load: IdleTasksLoad): Trial {
        val before = MemoryProbe.read(native)
        val began = System.nanoTime()
        load.start(n)
        val settled = await { load.settled }
        val startMs = (System.nanoTime() - began) / 1e6
        val begun = load.begun
        val after = MemoryProbe.read(native)
        val ended = load.ended
        val wrong =
            buildList {
                if (begun < load.possible) {
                    add("Only $begun of the ${load.possible} tasks that can be under way at once had begun after $patience.")
                } else if (!settled) {
                    add("All ${load.possible} tasks had begun, and after $patience some did not wait yet.")
                }
                if (ended > 0) add("$ended tasks ended before memory was read.")
                if (after.rssBytes == null) add("This system does not tell the resident set of a process (no /proc/self).")
            }
        val numbers =
            buildMap {
                tell(IdleTasksMetrics.tasksBegun, begun)
                tell(IdleTasksMetrics.tasksEnded, ended)
                tell(IdleTasksMetrics.startMs, startMs)
                tellGrowth(before, after)
                if (before.native != null && after.native != null) tellNativeGrowth(before.native, after.native)
            }
        return scope.trial(Judgement.of(wrong), numbers)
    }

    private fun MutableMap<Metric, Double>.tellGrowth(before: MemoryReading, after: MemoryReading) {
        fun growth(metric: Metric, bytes: (MemoryReading) -> Number?) {
            tell(metric, (bytes(after)?.toLong() ?: return) - (bytes(before)?.toLong() ?: return))
        }
        growth(IdleTasksMetrics.heapGrowthBytes) { it.heapBytes }
        tell(IdleTasksMetrics.uncollectedGrowthBytes, after.uncollectedBytes - before.heapBytes)
        growth(IdleTasksMetrics.residentGrowthBytes) { it.rssBytes }
        // Without a resident heap the two would overlap in the sum.
        if (spec.treatment[Factor.INSTRUMENT] != MemoryInstrument.Epsilon.label) {
            growth(IdleTasksMetrics.memoryGrowthBytes) { it.rssBytes?.plus(it.heapBytes) }
        }
        growth(IdleTasksMetrics.pssGrowthBytes) { it.pssBytes }
        growth(IdleTasksMetrics.reservedGrowthBytes) { it.reservedBytes }
        growth(IdleTasksMetrics.nonHeapGrowthBytes) { it.nonHeapBytes }
        growth(IdleTasksMetrics.classesGrowth) { it.classes }
        growth(IdleTasksMetrics.osThreadsGrowth) { it.osThreads }
        growth(CommonMetrics.allocatedBytes) { it.allocatedBytes }
        tell(IdleTasksMetrics.collections, after.collections)
        tell(IdleTasksMetrics.heapBytes, after.heapBytes)
        tell(IdleTasksMetrics.heapBaselineBytes, before.heapBytes)
        tell(CommonMetrics.rssBaselineBytes, before.rssBytes)
        tell(CommonMetrics.rssBytes, after.rssBytes)
    }

    private fun MutableMap<Metric, Double>.tellNativeGrowth(before: NativeMemory, after: NativeMemory) {
        fun growth(vararg names: String) = names.sumOf { (after.committed[it] ?: 0L) - (before.committed[it] ?: 0L) }
        val all = growth("Total")
        val thread = growth("Thread")
        val stack = growth("Stack")
        val heap = growth("Java Heap")
        val classes = growth("Class", "Metaspace", "Code", "Symbol", "Shared class space")
        tell(IdleTasksMetrics.nmtGrowthBytes, all)
        tell(IdleTasksMetrics.nmtThreadGrowthBytes, thread - stack)
        tell(IdleTasksMetrics.nmtStackGrowthBytes, stack)
        tell(IdleTasksMetrics.nmtStackReservedGrowthBytes, after.stackReserved - before.stackReserved)
        tell(IdleTasksMetrics.nmtHeapGrowthBytes, heap)
        tell(IdleTasksMetrics.nmtClassGrowthBytes, classes)
        tell(IdleTasksMetrics.nmtOtherGrowthBytes, all - thread - heap - classes)
    }

    private fun await(holds: () -> Boolean): Boolean {
        val began = TimeSource.Monotonic.markNow()
        while (!holds()) {
            if (began.elapsedNow() > patience) return false
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS)
        }
        return true
    }
}

private const val LOOKS = 2
private const val BETWEEN_LOOKS_NANOS = 500_000L
