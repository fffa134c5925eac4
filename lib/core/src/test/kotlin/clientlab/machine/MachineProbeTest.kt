package clientlab.machine

import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class MachineProbeTest {
    private fun reading(line: String) = MachineProbe.parse(line).shouldNotBeNull()

    @Test
    fun `what neither idled nor waited for a disk was used`() {
        val before = reading("cpu  100 0 100 1000 0 0 0 0 0 0")
        reading("cpu  150 10 110 1015 5 5 3 2 7 0").shareSince(before) shouldBe 0.8
    }

    @Test
    fun `without a tick between there is no share`() {
        val before = reading("cpu  100 0 100 1000 0 0 0 0 0 0")
        reading("cpu  100 0 100 1000 0 0 0 0 0 0").shareSince(before) shouldBe null
    }

    @Test
    fun `another line is no reading`() {
        MachineProbe.parse("cpu0 1 2 3 4 5 6 7 8 9 10") shouldBe null
        MachineProbe.parse("intr 1") shouldBe null
        MachineProbe.parse("cpu  a b") shouldBe null
    }
}
