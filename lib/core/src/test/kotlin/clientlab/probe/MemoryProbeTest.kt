package clientlab.probe

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class MemoryProbeTest {
    @Test
    fun `what is held is in the heap after collections, and what is dropped is not`() {
        val before = MemoryProbe.read()
        var held: ByteArray? = ByteArray(8_000_000)
        val during = MemoryProbe.read()
        held!![0] = 1
        held = null
        val after = MemoryProbe.read()
        during.heapBytes - before.heapBytes shouldBeGreaterThan 7_900_000
        during.heapBytes - after.heapBytes shouldBeGreaterThan 7_900_000
        during.allocatedBytes - before.allocatedBytes shouldBeGreaterThanOrEqual 8_000_000
        during.native shouldBe null
    }

    @Test
    fun `the tracker's answer is read by category, and stacks apart from the rest of threads`() {
        val native = NativeMemory.parse(SUMMARY)
        native.committed["Total"] shouldBe 300_000L * 1024
        native.committed["Java Heap"] shouldBe 262_144L * 1024
        native.committed["Thread"] shouldBe 1_500L * 1024
        native.committed["Stack"] shouldBe 1_400L * 1024
        native.stackReserved shouldBe 20_480L * 1024
    }

    @Test
    fun `a tracker that is off is a sentence`() {
        shouldThrow<IllegalArgumentException> { NativeMemory.parse("Native memory tracking is not enabled") }.message shouldContain
            "-XX:NativeMemoryTracking=summary"
    }

    private companion object {
        val SUMMARY =
            """
            Native Memory Tracking:

            Total: reserved=1700000KB, committed=300000KB
                   malloc: 20000KB #30000, peak=21000KB #31000

            -                 Java Heap (reserved=262144KB, committed=262144KB)
                                        (mmap: reserved=262144KB, committed=262144KB, at peak)

            -                    Thread (reserved=20560KB, committed=1500KB)
                                        (threads #20)
                                        (stack: reserved=20480KB, committed=1400KB, peak=1400KB)
                                        (malloc=50KB #120) (peak=60KB #125)
            """.trimIndent()
    }
}
