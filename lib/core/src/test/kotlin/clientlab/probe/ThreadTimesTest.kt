package clientlab.probe

import clientlab.testing.*
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import jdk.jfr.Recording
import jdk.jfr.consumer.RecordingFile
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledOnOs
import org.junit.jupiter.api.condition.OS
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.nio.file.Path
import java.time.Duration
import java.time.Instant
import java.util.concurrent.CountDownLatch
import java.util.zip.GZIPInputStream
import java.util.zip.GZIPOutputStream
import kotlin.concurrent.thread
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteIfExists

@EnabledOnOs(OS.LINUX)
class ThreadTimesTest {
    @Test
    fun `a thread is of the kind that its name says, as far as Linux keeps it`() {
        val names = mapOf(
            "C2 CompilerThre" to ThreadKind.Compilers,
            "C1 CompilerThre" to ThreadKind.Compilers,
            "GC Thread#1" to ThreadKind.Collector,
            "G1 Conc#0" to ThreadKind.Collector,
            "lab-generator" to ThreadKind.Harness,
            "lab-series" to ThreadKind.Harness,
            "lab-callers" to ThreadKind.Client,
            "OkHttp http://1" to ThreadKind.Client,
            "ForkJoinPool-1-" to ThreadKind.Client,
            "VM Thread" to ThreadKind.Other,
        )
        names.mapValues { ThreadKind.of(it.key) } shouldBe names
    }

    @Test
    fun `each kind takes what its threads take`() {
        val times = ThreadTimes()
        val before = times.read().shouldNotBeNull()
        val spun = CountDownLatch(2)
        RealThreads().use { threads ->
            mapOf("lab-made" to 0.3, "somebody" to 0.2).forEach { (name, seconds) ->
                threads.start(name) {
                    spin(seconds)
                    spun.countDown()
                    threads.released.await()
                }
            }
            spun.await()
            val after = times.read().shouldNotBeNull()
            after.getValue(ThreadKind.Harness) - before.getValue(ThreadKind.Harness) shouldBeGreaterThan 0.29
            after.getValue(ThreadKind.Client) - before.getValue(ThreadKind.Client) shouldBeGreaterThan 0.19
        }
    }

    @Test
    fun `the kinds together are the process's processor time`() {
        val times = ThreadTimes()

        // The compilers go on between two readings, so the process is read before and after. It is counted in steps of 10 ms.
        fun <T> around(read: () -> T): Triple<Double, T, Double> {
            val early = ProcessProbe.read().cpuSeconds
            return Triple(early, read(), ProcessProbe.read().cpuSeconds)
        }
        val (first, before, afterwards) = around { times.read().shouldNotBeNull().values.sum() }
        computing(1.0)
        val (early, after, last) = around { times.read().shouldNotBeNull().values.sum() }
        after - before shouldBeGreaterThan (early - afterwards) * 0.98 - 0.02
        after - before shouldBeLessThan (last - first) * 1.02 + 0.02
    }

    @Test
    fun `threads that come and go between two readings are the client's`() {
        val times = ThreadTimes()
        val before = times.read().shouldNotBeNull()
        // A name of the harness: what nobody has read has no name.
        repeat(5) { thread(name = "lab-short") { spin(0.1) }.join() }
        val after = times.read().shouldNotBeNull()
        // Half of what they took. On a busy machine other threads begin between the readings; without the rule it is nothing.
        after.getValue(ThreadKind.Client) - before.getValue(ThreadKind.Client) shouldBeGreaterThan 0.25
    }

    @Test
    fun `the compilers take what Flight Recorder says`() {
        val file = createTempFile("compilers", ".jfr")
        try {
            val times = ThreadTimes()

            fun compilers() = times.read().shouldNotBeNull().getValue(ThreadKind.Compilers)
            Recording().use { recording ->
                recording.enable("jdk.ThreadCPULoad").withPeriod(Duration.ofMillis(PERIOD_MS))
                recording.start()
                // The first events have nothing to compare with.
                computing(0.5)
                val (began, before) = Instant.now() to compilers()
                computing(3.0)
                val (ended, after) = Instant.now() to compilers()
                recording.stop()
                recording.dump(file)
                // A period lies across each end.
                after - before shouldBe (recorded(file, began..ended).let { it plusOrMinus it * 0.1 + PERIOD_MS / 1e3 })
            }
        } finally {
            file.deleteIfExists()
        }
    }

    @Test
    fun `a process that is gone has no times`() {
        ThreadTimes(pid = Long.MAX_VALUE).read().shouldBeNull()
    }

    /** The processor time of the compilers' threads in [file]: each event has the shares of all processors since the event before it. */
    private fun recorded(file: Path, within: ClosedRange<Instant>): Double {
        val processors = Runtime.getRuntime().availableProcessors()
        return RecordingFile
            .readAllEvents(file)
            .filter { it.startTime in within && "Compiler" in (it.getThread()?.osName ?: "") }
            .sumOf { (it.getFloat("user") + it.getFloat("system")) * processors * PERIOD_MS / 1e3 }
    }

    private fun spin(seconds: Double) {
        val until = ProcessProbe.currentThread().cpuSeconds + seconds
        while (ProcessProbe.currentThread().cpuSeconds < until) Thread.onSpinWait()
    }

    /** Work of the JDK's own code in many places, so that there is something to compile. */
    private fun computing(seconds: Double) {
        val until = ProcessProbe.read().cpuSeconds + seconds
        var number = 0
        while (ProcessProbe.read().cpuSeconds < until) {
            val text = (1..200).joinToString { "%d and %x".format(it + number, it * 31) }
            val packed = ByteArrayOutputStream().also { out -> GZIPOutputStream(out).use { it.write(text.toByteArray()) } }.toByteArray()
            val back = GZIPInputStream(ByteArrayInputStream(packed)).readAllBytes().decodeToString()
            check(Regex("(\\d+) and ([0-9a-f]+)").findAll(back).sumOf { it.groupValues[1].toLong() } > 0)
            number = (number + back.split(", ").sortedDescending().first().length).mod(1_000)
        }
    }

    private companion object {
        private const val PERIOD_MS = 100L
    }
}
