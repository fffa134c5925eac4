package clientlab.notebook.fork

import clientlab.*
import clientlab.probe.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test

class PinningTest {
    private fun pinning(processors: Int, allowed: List<Int>) =
        Pinning.of(Treatment(Factor.PROCESSORS to processors), allowed).shouldNotBeNull()

    @Test
    fun `the client has the last processors that are allowed, and the others are left`() {
        fun chosen(processors: Int, vararg allowed: Int) = pinning(processors, allowed.toList()).let { it.client to it.rest }
        chosen(1, 0, 1) shouldBe (listOf(1) to listOf(0))
        chosen(1, 2, 5, 6, 7) shouldBe (listOf(7) to listOf(2, 5, 6))
        chosen(2, 2, 5, 6, 7) shouldBe (listOf(6, 7) to listOf(2, 5))
        chosen(3, 2, 5, 6, 7) shouldBe (listOf(5, 6, 7) to listOf(2))
        Pinning.of(Treatment(Factor.CLIENT to "a"), listOf(0, 1)) shouldBe null
    }

    @Test
    fun `the JVM is told how many it has, and where the harness goes`() {
        val pinning = pinning(2, listOf(2, 5, 6, 7))
        pinning.command shouldBe listOf("taskset", "-c", "6,7")
        pinning.jvmArgs shouldBe listOf("-XX:ActiveProcessorCount=2", "-Dclientlab.harnessProcessors=2,5")
        pinning.note shouldBe "With processors = 2 the trial JVM ran on 6,7; the server and the harness's own threads ran on 2,5."
    }

    @Test
    fun `all threads of the server leave, and have every processor again after an end of any kind`() {
        val allowed = AllowedProcessors.of()
        assumeTrue(allowed.size >= 2 && Pinning.works(), "this needs two processors and taskset")
        ServerProcess.start().use { server ->
            fun threads() = threadsOf(server.pid).map { it.allowed }.distinct()
            threads() shouldBe listOf(allowed)
            val pinning = pinning(1, allowed)
            pinning.without(listOf(server.pid)) { threads() } shouldBe listOf(allowed.dropLast(1))
            threads() shouldBe listOf(allowed)
            shouldThrow<InterruptedException> {
                pinning.without(listOf(server.pid)) {
                    // As a second interrupt that comes while the first one is on its way.
                    Thread.currentThread().interrupt()
                    throw InterruptedException()
                }
            }
            Thread.interrupted() shouldBe true
            threads() shouldBe listOf(allowed)
        }
    }

    @Test
    fun `a server that is not ours is left alone`() {
        pinning(1, listOf(0, 1)).without(emptyList()) { "done" } shouldBe "done"
    }
}
