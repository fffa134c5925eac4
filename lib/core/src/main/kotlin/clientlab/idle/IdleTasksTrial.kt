package clientlab.idle

import clientlab.Factor
import clientlab.Outcome
import clientlab.Start
import clientlab.Trial
import clientlab.probe.MemoryProbe
import clientlab.probe.MemoryReading
import clientlab.probe.NativeMemory
import clientlab.trial.TrialSpec
import clientlab.trial.after
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * One trial of [IdleTasks], in this JVM: memory before the first task, and again while all of them are there.
 *
 * The memory is read twice before the baseline, for a first reading loads classes and starts the collector's threads. The tasks are let
 * go at the end, and the fork ends without waiting for them.
 */
internal class IdleTasksTrial(
    private val spec: TrialSpec,
    private val workload: IdleTasks,
    private val patience: Duration = 30.seconds,
) {
    private val n = spec.treatment.number(Factor.TASKS).toInt()
    private val mechanism = Mechanism.entries.first { it.label == spec.treatment[Factor.MECHANISM] }
    private val state = TaskState.entries.first { it.label == spec.treatment[Factor.STATE] }
    private val depth = spec.treatment.number(Factor.STACK_DEPTH).toInt()
    private val native = spec.treatment[Factor.INSTRUMENT] == MemoryInstrument.Nmt.label

    fun run(keep: (Trial) -> Unit) {
        if (spec.treatment[Factor.START] == Start.Warm.label) warmUp()
        repeat(LOOKS) { MemoryProbe.read(native) }
        IdleTasksLoad(mechanism, state, depth).use { keep(measure(it)) }
    }

    /** One task that comes and goes: what its mechanism needs once is there afterwards. */
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
        return Trial(
            experiment = spec.experiment,
            round = spec.round,
            treatment = spec.treatment,
            warmup = false,
            outcome = if (wrong.isEmpty()) Outcome.Complete else Outcome.Invalid,
            reasons = wrong,
            metrics =
                mapOf("tasksBegun" to begun.toDouble(), "tasksEnded" to ended.toDouble(), "startMs" to startMs) + readings(before, after),
        )
    }

    private fun readings(before: MemoryReading, after: MemoryReading): Map<String, Double> =
        buildMap {
            fun growth(name: String, from: Long?, to: Long?) {
                if (from != null && to != null) put(name, (to - from).toDouble())
            }
            growth("heapGrowthBytes", before.heapBytes, after.heapBytes)
            growth("uncollectedGrowthBytes", before.heapBytes, after.uncollectedBytes)
            growth("residentGrowthBytes", before.rssBytes, after.rssBytes)
            // Without a resident heap the two would overlap.
            if (spec.treatment[Factor.INSTRUMENT] != MemoryInstrument.Epsilon.label) {
                growth("memoryGrowthBytes", before.rssBytes?.plus(before.heapBytes), after.rssBytes?.plus(after.heapBytes))
            }
            growth("pssGrowthBytes", before.pssBytes, after.pssBytes)
            growth("reservedGrowthBytes", before.reservedBytes, after.reservedBytes)
            growth("nonHeapGrowthBytes", before.nonHeapBytes, after.nonHeapBytes)
            growth("classesGrowth", before.classes.toLong(), after.classes.toLong())
            growth("osThreadsGrowth", before.osThreads?.toLong(), after.osThreads?.toLong())
            growth("allocatedBytes", before.allocatedBytes, after.allocatedBytes)
            put("collections", after.collections.toDouble())
            put("heapBytes", after.heapBytes.toDouble())
            put("heapBaselineBytes", before.heapBytes.toDouble())
            before.rssBytes?.let { put("rssBaselineBytes", it.toDouble()) }
            after.rssBytes?.let { put("rssBytes", it.toDouble()) }
            val (from, to) = (before.native ?: return@buildMap) to (after.native ?: return@buildMap)
            putAll(nativeGrowth(from, to))
        }

    private fun nativeGrowth(before: NativeMemory, after: NativeMemory): Map<String, Double> {
        fun growth(vararg names: String) =
            names.sumOf { (after.committed[it] ?: 0L) - (before.committed[it] ?: 0L) }.toDouble()
        val all = growth("Total")
        val thread = growth("Thread")
        val stack = growth("Stack")
        val heap = growth("Java Heap")
        val classes = growth("Class", "Metaspace", "Code", "Symbol", "Shared class space")
        return mapOf(
            "nmtGrowthBytes" to all,
            "nmtThreadGrowthBytes" to thread - stack,
            "nmtStackGrowthBytes" to stack,
            "nmtStackReservedGrowthBytes" to (after.stackReserved - before.stackReserved).toDouble(),
            "nmtHeapGrowthBytes" to heap,
            "nmtClassGrowthBytes" to classes,
            "nmtOtherGrowthBytes" to all - thread - heap - classes,
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
