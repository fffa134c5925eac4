package clientlab.machine

import clientlab.*
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class RunPaceTest {
    private fun pace(spin: Double, echo: Double = 20.0, error: Double = 0.1) = Pace(spin, error, echo, error)

    /** The readings of a run whose pace is [spins] before its first round and after each. */
    private fun readings(vararg spins: Double, error: Double = 0.1) =
        spins.mapIndexed {
            index,
            spin,
            ->
            PaceReading((index - 1).takeIf { it >= 0 }, index.takeIf { it < spins.lastIndex }, pace(spin, error = error))
        }

    @Test
    fun `the pace is measured, and its error is small beside it or known`() {
        val pace = Pace.measure()
        listOf(pace.spinMs, pace.echoUs.shouldNotBeNull()).forEach { it shouldBeGreaterThan 0.0 }
        LabJson.decodeFromString<Pace>(LabJson.encodeToString(pace)) shouldBe pace
    }

    @Test
    fun `a pace that moves by more than 3 percent is said, and one that moves by less is not`() {
        RunPace(readings(200.0, 203.0, 205.0)).findings().shouldBeEmpty()
        val finding = RunPace(readings(200.0, 203.0, 214.0)).findings().single()
        finding.sentence shouldBe "The machine's pace moved by 7.0 % over the run: the reference spin took 200.0 to 214.0 ms."
        finding.unsettles shouldBe true
        RunPace(emptyList()).findings().shouldBeEmpty()
    }

    @Test
    fun `a move within the noise is no move`() {
        RunPace(readings(200.0, 203.0, 214.0, error = 5.0)).findings().shouldBeEmpty()
        RunPace(listOf(PaceReading(null, 0, pace(200.0)), PaceReading(0, null, pace(200.0, echo = 21.0))))
            .findings()
            .single()
            .clause shouldBe "pace moved by 5.0 % (loopback echo)"
    }

    @Test
    fun `an older echo between two threads decides nothing, and the spin beside it still does`() {
        val old = listOf(20.0, 70.0).map { Pace(200.0, 0.1, loopbackUs = it, loopbackErrorUs = 0.1) }
        val readings = listOf(PaceReading(null, 0, old[0]), PaceReading(0, null, old[1]))
        RunPace(readings).findings().shouldBeEmpty()
        RunPace(readings).rounds.single().let {
            it.slow.shouldBeEmpty()
            it.echoPercent shouldBe null
            it.spinPercent shouldBe 100.0
        }
    }

    @Test
    fun `a round is slow if the readings before and after it are`() {
        val rounds = RunPace(readings(200.0, 200.0, 200.0, 220.0, 220.0, 200.0, 200.0, 200.0, 200.0)).rounds
        rounds.map { it.round } shouldBe (0..7).toList()
        rounds.filter { it.slow.isNotEmpty() }.map { it.round } shouldBe listOf(2, 3, 4)
        rounds[3].slow shouldBe listOf("The reference spin took 10.0 % more than in the median round.")
        rounds[3].spinPercent.shouldNotBeNull() shouldBe (110.0 plusOrMinus 1e-9)
        rounds[3].echoPercent shouldBe 100.0
    }

    @Test
    fun `a resumed round has the pace from where it went on, and a round that did not end has none`() {
        val readings = listOf(
            PaceReading(null, 0, pace(200.0)),
            PaceReading(0, 1, pace(200.0)),
            // Here the run was killed in round 1, and resumed on a slower machine.
            PaceReading(null, 1, pace(240.0)),
            PaceReading(1, 2, pace(240.0)),
        )
        RunPace(readings).rounds.map { it.round to Math.round(it.spinPercent.shouldNotBeNull()) } shouldBe listOf(0 to 91L, 1 to 109L)
    }

    @Test
    fun `the rules for a whole run include its pace`() {
        val machine = Machine("Linux", "A processor", 2, 1, null, null, "25", "Somebody", "A VM")
        val readings = MachineReadings(MachineSettings(), pace = readings(200.0, 220.0))
        MachineRules.findings(machine, readings).map { it.clause } shouldBe listOf("pace moved by 10.0 % (reference spin)")
    }
}
