package clientlab.articles.warmup

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.made.*
import org.junit.jupiter.api.Test

/** Every claim about fresh forks, against series made by hand. */
class WarmUpClaimsTest : HeldToTrials(warmUpClaims) {
    private fun all(series: (Int) -> MadeSeries?): List<Trial> = CLIENTS.flatMap { MadeSeries.forks(it, series = series) }

    /** All clients as they should be, and [client] otherwise. */
    private fun but(client: String, series: (Int) -> MadeSeries?): List<Trial> =
        CLIENTS.flatMap { id -> MadeSeries.forks(id, series = if (id == client) series else ::usual) }

    private fun usual(round: Int) = MadeSeries(18.0 + round / 2.0, youngCpuMs = 1.2, compilers = 0.9)

    private val good = all(::usual)

    override val cases: Map<String, Case> =
        mapOf(
            "warmup.time" to Case(good, but("fuel") { MadeSeries(1.0, youngCpuMs = 1.2) }),
            "warmup.end" to Case(good, but("retrofit") { MadeSeries(80.0, seconds = 120) }),
            "warmup.burn" to Case(good, but("ktor-cio") { MadeSeries(20.0, compilers = 0.2) }),
            "warmup.first" to Case(good, but("ktor-java") { MadeSeries(20.0, firstP99Ms = 40.0) }),
            "warmup.cost" to Case(good, but("ktor-apache5") { MadeSeries(20.0, youngCpuMs = 0.6) }),
        )

    @Test
    fun `a client that nobody measured leaves every claim open`() {
        cases.forEach { (id, case) ->
            val some = case.supports.filter { it.treatment.client != "fuel" }
            verdictShouldBe(VerdictOutcome.Inconclusive, id, some)
        }
    }

    @Test
    fun `forks on both sides of a bound leave the claim open`() {
        fun open(claim: String, of: (Boolean) -> MadeSeries) =
            verdictShouldBe(VerdictOutcome.Inconclusive, claim, but("fuel") { of(it % 2 == 0) })
        open("warmup.time") { MadeSeries(if (it) 1.0 else 15.0, youngCpuMs = 1.2) }
        open("warmup.end") { MadeSeries(if (it) 20.0 else 80.0, seconds = 120) }
        open("warmup.burn") { MadeSeries(20.0, compilers = if (it) 0.2 else 1.5) }
        open("warmup.first") { MadeSeries(20.0, firstP99Ms = if (it) 40.0 else 400.0) }
        open("warmup.cost") { MadeSeries(20.0, youngCpuMs = if (it) 0.6 else 2.0) }
    }

    @Test
    fun `what Ktor CIO costs later is left out of the claim that leaves it out, and of no other`() {
        val cheap = but("ktor-cio") { MadeSeries(20.0, youngCpuMs = 0.7, compilers = 0.9) }
        verdictShouldBe(VerdictOutcome.Supported, "warmup.cost", cheap)
        verdictShouldBe(VerdictOutcome.Supported, "warmup.time", cheap)
    }

    @Test
    fun `loads that are too short to have a later part decide nothing`() {
        val short = all { MadeSeries(5.0, seconds = 35) }
        cases.keys.forEach { verdictShouldBe(VerdictOutcome.Inconclusive, it, short) }
    }

    @Test
    fun `warm forks and runs without series decide nothing`() {
        val warm = CLIENTS.flatMap { id -> MadeSeries.forks(id, start = "warm") { MadeSeries(20.0) } }
        val old = all { null }
        cases.keys.forEach { id -> listOf(warm, old).forEach { verdictShouldBe(VerdictOutcome.Inconclusive, id, it) } }
    }

    private companion object {
        val CLIENTS = listOf("retrofit", "ktor-okhttp", "ktor-apache5", "ktor-java", "ktor-cio", "fuel")
    }
}
