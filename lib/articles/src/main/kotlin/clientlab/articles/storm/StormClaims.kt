package clientlab.articles.storm

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.storm.*

private const val NOTEBOOK = "19-storm"
private const val RUN = "storm-2026-11"
private const val SCOPE =
    "In this set-up (a server that does 100 requests a second, 50 usually, 200 for five seconds; callers who wait for 500 ms)"
private val CLIENTS = listOf("retrofit@default", "retrofit", "ktor-cio")

/** The claims about storms, beyond the sources. Their bounds were set before the run, from the tests' simulation of a server with a queue. */
internal val stormClaims: List<Claim> = claims(NOTEBOOK) {
    claim("storm.alone", "8 to 11 s, by a simulation", RUN)
        .says("$SCOPE callers who ask once have their answers again 8 to 11 s after the surge, with each client.") {
            it.recovers(Retries.none, Bound(8.0, 11.0))
        }
    claim("storm.immediate", "at most 0.05, by a simulation", RUN)
        .says(
            "$SCOPE callers who ask three times more, at once, have no answers any more in the 15 s after the surge, with each client.",
        ) { it.afterSurge(Retries.immediate(), Bound(high = 0.05)) }
    claim("storm.jitter", "at most 0.05, by a simulation", RUN)
        .says(
            "$SCOPE callers who ask three times more, after pauses that double and with jitter, have no answers any more in the 15 s " +
                "after the surge, with each client.",
        ) { it.afterSurge(Retries.exponential(), Bound(high = 0.05)) }
    claim("storm.budget", "8 to 14 s, by a simulation", RUN)
        .says(
            "$SCOPE such callers have their answers again 8 to 14 s after the surge if only one request in ten may be asked again, with " +
                "each client.",
        ) { it.recovers(Retries.budgeted(), Bound(8.0, 14.0)) }
    claim("storm.gain", "at most 1.1, set before", RUN)
        .says("$SCOPE asking again brings at most a tenth more answers during the surge than asking once, with each client.") { trials ->
            listOf(Retries.immediate(), Retries.exponential(), Retries.budgeted()).flatMap { trials.gained(it) }
        }
    claim("storm.once", "at most 1.01, set before", RUN)
        .says("$SCOPE no client asks again by itself: the server sees each request of a caller who asks once at most once.") {
            it.parts(Retries.none) { group -> group.part("requests seen per request", Bound(high = 1.01), "attemptsPerRequest") }
        }
}

/** The article `19-storm`. */
internal class StormArticle : NamedArticle(NOTEBOOK, stormClaims)

private fun Trials<*>.of(client: String, retries: Retries): TreatmentTrials = of(client, Factor.RETRIES, retries.label)

private fun Trials<*>.parts(retries: Retries, part: (TreatmentTrials) -> Part): List<Part> = CLIENTS.map { part(of(it, retries)) }

private fun Trials<*>.recovers(retries: Retries, bound: Bound): List<Part> =
    parts(retries) { it.part("seconds until it has recovered", bound, it.recoverySeconds()) }

private fun Trials<*>.afterSurge(retries: Retries, bound: Bound): List<Part> =
    parts(retries) { it.part("answers a second, after the surge / before", bound, it.ratios("goodputAfter", "goodputBefore")) }

private fun Trials<*>.gained(retries: Retries): List<Part> =
    CLIENTS.map { client ->
        val (again, once) = of(client, retries).counted to of(client, Retries.none).counted
        val ratios = perRound(again, once, "goodputDuring")
        of(client, retries).part("answers during the surge, ${retries.label} / none", Bound(high = 1.1), ratios)
    }

/** Seconds until the server had recovered; a fork in which it did not counts as long as the load went on after the surge. */
private fun TreatmentTrials.recoverySeconds(): List<Double> = counted.map { (it.metric("recoveryMs") ?: AFTER_MS) / 1e3 }

/** How long the load goes on after the surge in the run that decides the claims. */
private const val AFTER_MS = 15_000.0
