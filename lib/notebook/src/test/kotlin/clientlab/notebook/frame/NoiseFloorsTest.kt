package clientlab.notebook.frame

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.claim.*
import clientlab.notebook.made.*
import clientlab.tasks.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.Random

class NoiseFloorsTest(
    @param:TempDir private val data: Path,
) {
    /** OkHttp with a larger pool beside OkHttp as it comes, [times] as long. */
    private fun pools(times: Double, also: List<Trial> = emptyList()) =
        Random(9)
            .let { random ->
                List(2 * FORKS) { trial ->
                    val client = if (trial % 2 == 0) "okhttp@pool" else "okhttp@default"
                    val time = (if (trial % 2 == 0) times else 1.0) * (1_100 + random.nextGaussian())
                    MadeTrials.trial(client, 100, trial / 2, metrics = mapOf("durationMs" to time, "inFlightPeak" to 5.0))
                }
            }.let { MadeTrials.frame(*(it + also).toTypedArray()) }

    private fun publish(name: String, spread: Double) =
        MadeAliases.publish(data.resolve("published"), name, MadeAliases.trials { _, _, noise -> 1_100 + spread * noise })

    @Test
    fun `a published A A run gives the floor of its workload, metric by metric, and of no other`() =
        withDataIn(data) {
            NoiseFloors.ratio(Burst::class, "durationMs") shouldBe null
            publish("aa-2026-11", 20.0)
            val floor = NoiseFloors.ratio(Burst::class, "durationMs").shouldNotBeNull()
            floor.high shouldBeGreaterThan 1.0
            floor.high shouldBeLessThan 1.1
            floor.from shouldBe "aa-2026-11"
            NoiseFloors.ratio(Burst::class, "rssBytes") shouldBe null
            NoiseFloors.ratio(Tasks::class, "durationMs") shouldBe null
            NoiseFloors.difference(Burst::class, "durationMs").shouldNotBeNull().high shouldBeGreaterThan 1.0
            noiseFloors().rows().map { it["metric"] } shouldContain "threadsBlocked"
            noiseFloors("durationMs").rows().single()["ratioOfTheSame"] shouldBe floor.toString()
        }

    @Test
    fun `several runs give the widest, and a run that is no A A run gives none`() =
        withDataIn(data) {
            publish("aa-2026-11", 5.0)
            val narrow = NoiseFloors.ratio(Burst::class, "durationMs").shouldNotBeNull()
            publish("threads-aa-2026-12", 50.0)
            publish("aaa-2026-11", 500.0)
            val wide = NoiseFloors.ratio(Burst::class, "durationMs").shouldNotBeNull()
            wide.high shouldBeGreaterThan narrow.high
            wide.high shouldBeLessThan 1.3
            wide.from shouldBe "aa-2026-11, threads-aa-2026-12"
        }

    @Test
    fun `a verdict takes the published noise into account, and shows it`() =
        withDataIn(data) {
            val apart = pools(1.04)
            val before = verdict(MadeClaims.pool, apart)
            before.outcome shouldBe VerdictOutcome.Refuted
            before.toString() shouldNotContain "A/A"

            publish("aa-2026-11", 100.0)
            val after = verdict(MadeClaims.pool, apart)
            withClue(after.toString()) {
                after.outcome shouldBe VerdictOutcome.Inconclusive
                after.words shouldContain "inside the noise"
                after.toString() shouldContain ", A/A 0."
                after.html() shouldContain "A/A: aa-2026-11"
            }
            verdict(MadeClaims.pool, pools(1.5)).outcome shouldBe VerdictOutcome.Refuted
            verdict(MadeClaims.pool, pools(1.0)).outcome shouldBe VerdictOutcome.Supported
        }

    @Test
    fun `a run that measured treatments twice has its own floor, which counts before that of any A A run`() =
        withDataIn(data) {
            publish("aa-2026-11", 1.0)
            val random = Random(7)
            val again = List(FORKS) { round ->
                val times = mapOf("durationMs" to 1_100 + 100 * random.nextGaussian(), "inFlightPeak" to 5.0)
                val made = MadeTrials.trial("okhttp@default", 100, round, metrics = times)
                made.copy(treatment = made.treatment.with(Factor.ALIAS, Experiment.AGAIN))
            }
            val noisy = pools(1.04, also = again)
            noisy.byTreatment().size shouldBe 2
            val own = noisy.ratioFloor(Burst::class, "durationMs").shouldNotBeNull()
            own.from shouldBe "the same run, 1 of its treatments twice"
            own.high shouldBeGreaterThan 1.04
            noisy.differenceFloor(Burst::class, "durationMs").shouldNotBeNull().high shouldBeGreaterThan 40.0
            verdict(MadeClaims.pool, noisy).words shouldContain "inside the noise"
            pools(1.04).ratioFloor(Burst::class, "durationMs").shouldNotBeNull().from shouldBe "aa-2026-11"
            verdict(MadeClaims.pool, pools(1.04)).outcome shouldBe VerdictOutcome.Refuted
        }

    private companion object {
        const val FORKS = 10
    }
}
