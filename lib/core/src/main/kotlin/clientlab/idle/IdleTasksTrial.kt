package clientlab.idle

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * One trial of [IdleTasks], in this JVM: memory before the first task, and again while all of them are there.
 *
 * The memory is read twice before the baseline, because a first reading loads classes and starts the collector's threads. The tasks are
 * let go at the end, and the fork ends without waiting for them.
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
        val tasks =
            mapOf(
                IdleTasksMetrics.tasksBegun to begun.toDouble(),
                IdleTasksMetrics.tasksEnded to ended.toDouble(),
                IdleTasksMetrics.startMs to startMs,
            )
        return scope.trial(Judgement.of(wrong), tasks + readings(before, after))
    }

    private fun readings(before: MemoryReading, after: MemoryReading): Numbers =
        buildMap {
            fun growth(metric: Metric, from: Long?, to: Long?) {
                if (from != null && to != null) put(metric, (to - from).toDouble())
            }
            growth(IdleTasksMetrics.heapGrowthBytes, before.heapBytes, after.heapBytes)
            growth(IdleTasksMetrics.uncollectedGrowthBytes, before.heapBytes, after.uncollectedBytes)
            growth(IdleTasksMetrics.residentGrowthBytes, before.rssBytes, after.rssBytes)
            // Without a resident heap the two would overlap in the sum.
            if (spec.treatment[Factor.INSTRUMENT] != MemoryInstrument.Epsilon.label) {
                growth(IdleTasksMetrics.memoryGrowthBytes, before.rssBytes?.plus(before.heapBytes), after.rssBytes?.plus(after.heapBytes))
            }
            growth(IdleTasksMetrics.pssGrowthBytes, before.pssBytes, after.pssBytes)
            growth(IdleTasksMetrics.reservedGrowthBytes, before.reservedBytes, after.reservedBytes)
            growth(IdleTasksMetrics.nonHeapGrowthBytes, before.nonHeapBytes, after.nonHeapBytes)
            growth(IdleTasksMetrics.classesGrowth, before.classes.toLong(), after.classes.toLong())
            growth(IdleTasksMetrics.osThreadsGrowth, before.osThreads?.toLong(), after.osThreads?.toLong())
            growth(CommonMetrics.allocatedBytes, before.allocatedBytes, after.allocatedBytes)
            put(IdleTasksMetrics.collections, after.collections.toDouble())
            put(IdleTasksMetrics.heapBytes, after.heapBytes.toDouble())
            put(IdleTasksMetrics.heapBaselineBytes, before.heapBytes.toDouble())
            tell(CommonMetrics.rssBaselineBytes, before.rssBytes)
            tell(CommonMetrics.rssBytes, after.rssBytes)
            val (from, to) = (before.native ?: return@buildMap) to (after.native ?: return@buildMap)
            putAll(nativeGrowth(from, to))
        }

    private fun nativeGrowth(before: NativeMemory, after: NativeMemory): Numbers {
        fun growth(vararg names: String) = names.sumOf { (after.committed[it] ?: 0L) - (before.committed[it] ?: 0L) }.toDouble()
        val all = growth("Total")
        val thread = growth("Thread")
        val stack = growth("Stack")
        val heap = growth("Java Heap")
        val classes = growth("Class", "Metaspace", "Code", "Symbol", "Shared class space")
        return mapOf(
            IdleTasksMetrics.nmtGrowthBytes to all,
            IdleTasksMetrics.nmtThreadGrowthBytes to thread - stack,
            IdleTasksMetrics.nmtStackGrowthBytes to stack,
            IdleTasksMetrics.nmtStackReservedGrowthBytes to (after.stackReserved - before.stackReserved).toDouble(),
            IdleTasksMetrics.nmtHeapGrowthBytes to heap,
            IdleTasksMetrics.nmtClassGrowthBytes to classes,
            IdleTasksMetrics.nmtOtherGrowthBytes to all - thread - heap - classes,
        )
    }

    private fun await(holds: () -> Boolean): Boolean {
        val began = TimeSource.Monotonic.markNow()
        while (!holds()) {
            if (began.elapsedNow() > patience) return false
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS)
        }
        return true
    }

    private companion object {
        private const val LOOKS = 2
        private const val BETWEEN_LOOKS_NANOS = 500_000L
    }
}
