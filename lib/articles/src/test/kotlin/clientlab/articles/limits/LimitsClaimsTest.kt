package clientlab.articles.limits

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.made.*
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

/** Every claim of source 004 against trials made by hand: some that bear it out and some that do not. */
class LimitsClaimsTest : HeldToTrials(LimitsArticle().claims) {
    private fun forks(
        client: String,
        vararg levels: Pair<String, Any>,
        outcome: Outcome = Outcome.Complete,
        delayMs: Int = 1000,
        metrics: (Int) -> Map<String, Double>,
    ): List<Trial> =
        List(6) { round ->
            Trial(
                experiment = "made",
                round = round,
                treatment = Treatment(
                    Factor.CLIENT to client,
                    *levels,
                    Factor.PROTOCOL to "http/1.1",
                    Factor.IN_FLIGHT to 100,
                    Factor.DELAY_MS to delayMs,
                    Factor.START to "warm",
                ),
                warmup = false,
                outcome = outcome,
                metrics = metrics(round) + ("requests" to 100.0),
            )
        }

    private fun asItComes(seconds: Double, held: Double = 5.0, batches: Double = 20.0) =
        forks("ktor-okhttp@default", outcome = Outcome.Wave) {
            mapOf("durationMs" to 1000 * seconds + it, "inFlightPeak" to held, "batches" to batches, "queuedMaxMs" to 1000 * (seconds - 1))
        }

    private fun attempt(client: String, ms: Double, held: Double = 5.0) =
        forks(client, outcome = Outcome.Wave, delayMs = 250) { mapOf("durationMs" to ms + it, "inFlightPeak" to held) }

    private fun repaired(ms: Double) = forks("ktor-okhttp@requests") { mapOf("durationMs" to ms + it, "batches" to 1.0) }

    private fun cio(ms: Double) = forks("ktor-cio@default") { mapOf("durationMs" to ms + it, "inFlightPeak" to 100.0) }

    private fun dispatched(io: Double, oneThread: Double) =
        listOf("ktor-cio@default", "ktor-okhttp@requests").flatMap { client ->
            listOf("io" to io, "one-thread" to oneThread, "cached-pool" to io, "default" to io).flatMap { (level, ms) ->
                forks(client, Factor.DISPATCHER to level) { mapOf("durationMs" to ms + it) }
            }
        }

    private fun engine(client: String, payload: String, ms: Double, http1: Double = 100.0) =
        forks(client, Factor.PAYLOAD to payload) { mapOf("durationMs" to ms + it, "requestsHttp1" to http1) }

    private fun json(cioExtra: Double, okHttpExtra: Double) =
        engine("ktor-cio@default", "text", 1200.0) + engine("ktor-cio@default", "json", 1200.0 + cioExtra) +
            engine("ktor-okhttp@requests", "text", 1200.0) + engine("ktor-okhttp@requests", "json", 1200.0 + okHttpExtra)

    private fun again(cio: Double, okHttp: Double) =
        forks("ktor-cio@default") { mapOf("connectionsOpenedAgain" to cio) } +
            forks("ktor-okhttp@requests") { mapOf("connectionsOpenedAgain" to okHttp) }

    /** Trials in the source's own release of Ktor, with and without TLS. */
    private fun there(asItComes: Double = 20_200.0, opened: Double = 1_200.0, cio: Double = 1_600.0) =
        listOf("http/1.1", "https/1.1").flatMap { protocol ->
            listOf(
                forks("ktor-okhttp@default:3.3.3") { mapOf("durationMs" to asItComes + it, "inFlightPeak" to 5.0) },
                forks("ktor-okhttp@requests:3.3.3") { mapOf("durationMs" to opened + it, "inFlightPeak" to 100.0) },
                forks("ktor-cio@default:3.3.3") { mapOf("durationMs" to cio + it) },
            ).flatten().map { it.copy(treatment = it.treatment.with(Factor.PROTOCOL, protocol)) }
        }

    override val cases: Map<String, Case> =
        mapOf(
            "limits.default" to Case(asItComes(20.2), asItComes(1.2, held = 100.0, batches = 1.0)),
            "limits.pool" to
                Case(
                    attempt("okhttp@default", 5200.0) + attempt("okhttp@pool", 5200.0),
                    attempt("okhttp@default", 5200.0) + attempt("okhttp@pool", 300.0, held = 100.0),
                ),
            "limits.fix" to Case(repaired(1150.0), repaired(2000.0)),
            "limits.source-default" to Case(there(), there(asItComes = 1_200.0)),
            "limits.source-fix" to Case(there(), there(opened = 2_100.0)),
            "limits.source-tls" to Case(there(), there(cio = 1_205.0)),
            "limits.source-cleartext" to Case(there(cio = 1_205.0), there()),
            "limits.cio" to Case(cio(1150.0), cio(5000.0)),
            "limits.dispatcher" to Case(dispatched(1150.0, 1160.0), dispatched(1150.0, 2000.0)),
            "limits.http2" to
                Case(
                    engine("ktor-cio@default", "json", 1700.0) + engine("ktor-okhttp@requests", "json", 1200.0, http1 = 0.0),
                    engine("ktor-cio@default", "json", 1700.0) + engine("ktor-okhttp@requests", "json", 1200.0),
                ),
            "limits.json" to Case(json(300.0, 50.0), json(50.0, 50.0)),
            "limits.reuse" to Case(again(100.0, 0.0), again(95.0, 95.0)),
            "limits.cleartext" to
                Case(
                    engine("ktor-okhttp@requests", "text", 1.0) + engine("ktor-okhttp@requests", "json", 1.0),
                    engine("ktor-okhttp@requests", "text", 1.0, http1 = 0.0) + engine("ktor-okhttp@requests", "json", 1.0),
                ),
        )

    @Test
    fun `every row of the list is a claim`() {
        cases.keys shouldContainExactlyInAnyOrder
            (
                listOf(
                    "default",
                    "pool",
                    "fix",
                    "cio",
                    "dispatcher",
                    "http2",
                    "json",
                    "reuse",
                    "cleartext",
                    "source-default",
                    "source-fix",
                ) +
                    listOf("source-tls", "source-cleartext")
            ).map { "limits.$it" }
    }

    @TestFactory
    fun `a claim about clients that were not measured is open`(): List<DynamicTest> =
        cases.keys.map { id ->
            dynamicTest(id) { verdictShouldBe(VerdictOutcome.Inconclusive, id, forks("fuel") { mapOf("durationMs" to 1.0) }) }
        }
}
