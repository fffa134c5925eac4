package clientlab.churn

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import com.sun.management.UnixOperatingSystemMXBean
import kotlinx.coroutines.runBlocking
import java.lang.management.ManagementFactory
import kotlin.time.Duration.Companion.milliseconds

/**
 * One trial of a [Churn], in this JVM. The first tenth of the cycles brings what there is once for all; what the others leave behind is
 * counted when the threads that end by themselves have ended.
 */
internal class ChurnTrial(private val scope: TrialScope, private val churn: Churn) {
    private val client = scope.client()
    private val conditions = Conditions(scope.spec.server.url(scope.protocol), inFlight = 1, scope.protocol)
    private val mostDescriptors =
        ((ManagementFactory.getOperatingSystemMXBean() as? UnixOperatingSystemMXBean)?.maxFileDescriptorCount ?: USUAL_LIMIT) / 2
    private val failures = Failures()
    private val tookMs = ArrayList<Double>()
    private var spentMs = 0.0

    fun run() {
        scope.server.reset()
        cycles(churn.cycles / FIRST)
        // A first reading loads classes.
        MemoryProbe.read()
        val before = Left.read()
        val first = tookMs.size
        cycles(churn.cycles - first)
        val after = Left.read()
        val evidence = scope.server.evidence()
        val counted = tookMs.size - first
        val numbers = buildMap {
            tell(CommonMetrics.requests, first + counted)
            tell(CommonMetrics.failed, failures.counts.values.sum())
            tell(CommonMetrics.connectionsOpened, evidence.connectionsOpened)
            tell(ChurnMetrics.cyclesCounted, counted)
            tell(CommonMetrics.spoilt, listOf(before, after).count { it.pauseMs > MOST_PAUSE_MS })
            if (counted == 0) return@buildMap
            tell(ChurnMetrics.cycleP50Ms, nearestRank(ascending(tookMs.drop(first).toDoubleArray()), MEDIAN))
            tell(ChurnMetrics.descriptorsPerCycle, (after.counts.descriptors - before.counts.descriptors).toDouble() / counted)
            tell(ChurnMetrics.threadsLeftPerCycle, (after.counts.threads - before.counts.threads).toDouble() / counted)
            tell(ChurnMetrics.cycleHeapBytes, (after.memory.heapBytes - before.memory.heapBytes).toDouble() / counted)
        }
        scope.keep(scope.trial(Judgement.of(wrong(counted), warnings(counted)), numbers, evidence).copy(errors = failures.counts))
    }

    private fun cycles(number: Int) {
        repeat(number) { cycle ->
            if (spentMs.milliseconds > churn.atMost || ProcessCounts.read().descriptors > mostDescriptors) return
            val opened = System.nanoTime()
            client.open(conditions).use { session ->
                runBlocking { failures.wentWell { session.send(Request(delayPath(0, cycle))).failure() } }
            }
            val took = (System.nanoTime() - opened) / 1e6
            tookMs += took
            spentMs += took
        }
    }

    private fun wrong(counted: Int): List<String> = buildList {
        val failed = failures.counts.values.sum()
        if (counted == 0) add("No cycle came behind the first tenth: $THEN.")
        if (failed > 0) add("$failed requests failed. The first: ${failures.example}.")
    }

    private fun warnings(counted: Int): List<String> {
        val planned = churn.cycles - churn.cycles / FIRST
        return if (counted == planned) emptyList() else listOf("$counted of $planned cycles came: $THEN.")
    }

    /** What there is when [pauseMs] was the longest pause of the process while its threads were waited for. */
    private class Left(val counts: ProcessCounts, val memory: MemoryReading, val pauseMs: Double) {
        companion object {
            fun read(): Left {
                val memory = MemoryProbe.read()
                // What a collection has closed is not left behind.
                return PauseWatch().use { watch -> Left(runBlocking { ProcessCounts.settled() }, memory, watch.longestMs) }
            }
        }
    }

    private companion object {
        /** One in so many cycles is not counted. */
        const val FIRST = 10
        const val MEDIAN = 0.5

        /** Threads that end by themselves are looked at so often: a longer pause may hide that they still end. */
        const val MOST_PAUSE_MS = 100.0
        const val THEN = "then the time was over, or half of the open files that a process may have were in use"

        /** Of a system that does not say. */
        const val USUAL_LIMIT = 1_024L
    }
}
