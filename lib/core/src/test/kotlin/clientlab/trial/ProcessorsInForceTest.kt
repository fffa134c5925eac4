package clientlab.trial

import clientlab.*
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ProcessorsInForceTest {
    private val one = Treatment(Factor.CLIENT to "retrofit", Factor.PROCESSORS to 1)
    private val two = one.with(Factor.PROCESSORS, "2")

    private fun reasons(
        asked: Treatment,
        counted: Int,
        allowed: List<Int>,
        harnessElsewhere: Boolean = true,
        stayed: Set<String> = emptySet(),
    ) = ProcessorsInForce(counted, allowed, harnessElsewhere, stayed).reasons(asked)

    @Test
    fun `a JVM that had what was asked for, and a treatment that asks for nothing, have no reason`() {
        reasons(one, 1, listOf(3)) shouldBe emptyList()
        reasons(two, 2, listOf(2, 3)) shouldBe emptyList()
        reasons(one.without(Factor.PROCESSORS), 8, (0..7).toList(), harnessElsewhere = false) shouldBe emptyList()
    }

    @Test
    fun `each thing that was not as asked is a sentence`() {
        reasons(one, 1, listOf(0, 1)) shouldBe listOf("The trial asked for 1 processor and the JVM had 2 (0,1).")
        reasons(two, 1, listOf(0, 1)) shouldBe listOf("The trial asked for 2 processors and the JVM counted 1.")
        reasons(one, 1, listOf(1), harnessElsewhere = false) shouldBe
            listOf("The trial asked for 1 processor and the harness had none of its own.")
        reasons(one, 1, listOf(1), stayed = setOf("lab-generator")) shouldBe
            listOf("The trial asked for 1 processor and the harness's lab-generator ran there too.")
    }
}
