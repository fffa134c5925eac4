package clientlab.articles.latency

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val NOTEBOOK = "12-latency"
private const val RUN = "latency-steady-2026-11"
private const val SCOPE = "In this set-up (JDK 25, two cores, delay 5 ms, 2,000 requests a second)"
private const val CLIENT = "ktor-java"
private const val P99 = "latencyP99Ms"

/** The claims about one client at one rate, young and steady. Their bounds were set before the run. */
internal val steadyLatencyClaims: List<Claim> = claims(NOTEBOOK) {
    claim("latency.steady", "at most 25 ms in every fork, set before", RUN)
        .says("$SCOPE every steady fork of Ktor Java answers 99 % of the requests within 25 ms.") { trials ->
            val steady = trials.of(CLIENT, Factor.START, Start.Steady.label)
            val highest = steady.values(P99).maxOrNull() ?: Double.NaN
            val ofAll = Estimate(highest, highest, highest, steady.values(P99).size, "the highest of all forks")
            listOf(Part(CLIENT, "highest 99th percentile of all forks, in ms", Bound(high = 25.0), ofAll))
        }
    claim("latency.young", "at least 2, set before", RUN)
        .says("$SCOPE a fork of Ktor Java that is warmed up for 10 s has at least twice the 99th percentile of a steady one.") { trials ->
            val (young, steady) = listOf(Start.Warm, Start.Steady).map { trials.of(CLIENT, Factor.START, it.label) }
            listOf(young.part("99th percentile, young / steady", Bound(low = 2.0), perRound(young.counted, steady.counted, P99)))
        }
}
