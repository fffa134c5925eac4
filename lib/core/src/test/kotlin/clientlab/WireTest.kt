package clientlab

import clientlab.burst.*
import clientlab.closedloop.*
import clientlab.openloop.*
import clientlab.workloads.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import kotlinx.serialization.encodeToString
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

class WireTest {
    private val client = ClientInfo("made", "Made", "made:made", "none")
    private val far = Wire(rtt = 40.milliseconds)
    private val wires = listOf(Wire.direct, far)

    @Test
    fun `a label says what is not as usual`() {
        Wire.direct.label shouldBe "direct"
        far.label shouldBe "40 ms"
        Wire(40.milliseconds, jitter = 5.milliseconds, bytesPerSecond = 125_000).label shouldBe "40 ms, jitter 5 ms, 125000 B/s"
    }

    @Test
    fun `what no network does is refused in a sentence`() {
        shouldThrow<LabException> { Wire(rtt = 2.minutes) }.message shouldBe "A round trip of 2m is impossible: it takes 0 s to 1m."
        shouldThrow<LabException> { Wire(jitter = (-1).milliseconds) }.message shouldBe "A jitter of -1ms is impossible: it is 0 s to 1m."
        shouldThrow<LabException> { Wire(bytesPerSecond = 0) }.message shouldBe
            "0 bytes per second carry nothing: give at least 1, or none for a bandwidth that is not felt."
        shouldThrow<LabException> { Burst(listOf(client), server = listOf(Server.Delay, Server.Jetty), wire = wires) }.message shouldBe
            "The wire leads to the delay server alone: leave out jetty, or the wire."
    }

    @Test
    fun `it is a factor of each load where it is not direct alone, and a treatment tells it`() {
        val loads = listOf<Workload>(
            Burst(listOf(client), inFlight = listOf(10), wire = wires),
            ClosedLoop(listOf(client), wire = wires),
            OpenLoop(listOf(client), rate = listOf(10), wire = wires),
        )
        loads.forEach { load ->
            load.treatments.map { it[Factor.WIRE] } shouldContainExactly listOf("direct", "40 ms")
            load.treatments.map(load::wire) shouldBe wires
        }
        ClosedLoop(listOf(client)).treatments.single().let { it[Factor.WIRE] to ClosedLoop(listOf(client)).wire(it) } shouldBe
            (null to Wire.direct)
        ClosedLoop(listOf(client), wire = listOf(far)).let { it.wire(it.treatments.single()) } shouldBe far
    }

    @Test
    fun `a manifest reads back as the same workload, and one without a wire has none in it`() {
        val load: Workload = ClosedLoop(listOf(client), wire = wires)
        ExperimentJson.decodeFromString<Workload>(ExperimentJson.encodeToString(load)) shouldBe load
        ("wire" in ExperimentJson.encodeToString<Workload>(ClosedLoop(listOf(client)))) shouldBe false
    }
}
