package clientlab.transfer

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.io.IOException

class IterationsTest {
    @Test
    fun `mean and median are of all iterations, the later ones of the last half`() {
        val took = ArrayDeque(listOf(100.0, 10.0, 20.0, 30.0))
        val metrics = Iterations
            .run<Unit>(4, { null }) { Unit to (took.removeFirst() * 1e6).toLong() }
            .metrics(1L shl 20)
            .mapKeys { it.key.name }
        metrics["iterationMeanMs"] shouldBe 40.0
        metrics["iterationMedianMs"] shouldBe 25.0
        metrics["iterationFirstMs"] shouldBe 100.0
        metrics["iterationSteadyMs"] shouldBe 25.0
        metrics["throughputMiBs"] shouldBe 40.0
        metrics["iterations"] shouldBe 4.0
    }

    @Test
    fun `what was timed before it broke off is kept, with the reason`() {
        var number = 0
        val course = Iterations.run<Unit>(5, { null }) {
            if (++number == 3) throw IOException("cut") else Unit to 1_000_000L
        }
        course.tookMs shouldHaveSize 2
        course.broken shouldBe "Iteration 3 of 5 broke off: java.io.IOException: cut."
        course.curve() shouldBe listOf(listOf(1.0, 1.0), listOf(2.0, 1.0))
    }

    @Test
    fun `a wrong result ends it, and is not timed`() {
        val course = Iterations.run<Long?>(5, { wrongLength(8, it) }) { 7L to null }
        course.tookMs shouldHaveSize 0
        course.broken shouldBe "Iteration 1 of 5: 7 of 8 bytes arrived."
        course.metrics(8) shouldBe emptyMap()
    }

    @Test
    fun `an error of the JVM is nobody's iteration`() {
        shouldThrow<OutOfMemoryError> { Iterations.run<Unit>(1, { null }) { throw OutOfMemoryError("Java heap space") } }
    }

    @Test
    fun `checksums are told apart in hexadecimal, and none is no difference`() {
        wrongChecksum(1, 255) shouldBe "The checksum differs: 00000001 was sent and 000000ff arrived."
        wrongChecksum(1, 1) shouldBe null
        wrongChecksum(1, null) shouldBe null
    }
}
