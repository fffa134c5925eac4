package clientlab.probe

import clientlab.testing.*
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.nulls.shouldNotBeNull
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledOnOs
import org.junit.jupiter.api.condition.OS

class ProcessProbeTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    fun `threads are those of the operating system, more than Java's`() {
        RealThreads().use { threads ->
            val before = ProcessProbe.read().osThreads.shouldNotBeNull()
            repeat(50) { threads.parked() }
            eventually({ "$before before and ${ProcessProbe.read().osThreads} after" }) { ProcessProbe.read().osThreads!! >= before + 45 }
            ProcessProbe.read().osThreads.shouldNotBeNull() shouldBeGreaterThanOrEqual ThreadProbe.liveCount()
        }
    }

    @Test
    fun `allocated bytes grow by what is allocated`() {
        val before = ProcessProbe.read().allocatedBytes
        val kept = List(64) { ByteArray(1 shl 20) }
        ProcessProbe.read().allocatedBytes - before shouldBeGreaterThanOrEqual kept.sumOf { it.size.toLong() }
    }

    @Test
    fun `allocated bytes keep those of threads that have ended`() {
        val before = ProcessProbe.read().allocatedBytes
        Thread.ofPlatform().start { List(64) { ByteArray(1 shl 20) }.size }.join()
        ProcessProbe.read().allocatedBytes - before shouldBeGreaterThanOrEqual (64L shl 20)
    }

    @Test
    fun `processor time passes while a thread is busy`() {
        val before = ProcessProbe.read().cpuSeconds
        RealThreads().use { threads ->
            threads.busy()
            eventually { ProcessProbe.read().cpuSeconds > before + 0.05 }
        }
        ProcessProbe.read().cpuSeconds shouldBeGreaterThan before
    }
}
