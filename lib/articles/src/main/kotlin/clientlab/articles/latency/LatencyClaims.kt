package clientlab.articles.latency

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import org.jetbrains.kotlinx.dataframe.api.filter
import kotlin.math.abs

private const val NOTEBOOK = "12-latency"

/** A run with a warm-up of three seconds by turns. It shows a client's first seconds at a rate. */
private const val FIRST_SECONDS = "latency-2026-11c"
private val RATES = arrayOf("latency-2026-11d", "latency-high-2026-11b", "latency-higher-2026-11")
private const val HALF = "latency-half-2026-11b"
private const val PAUSED = "latency-paused-2026-11b"
private const val ARRIVALS = "latency-arrivals-2026-11b"
private val PAUSED_CLIENTS = listOf("okhttp", "jdk")
private const val P99 = "latencyP99Ms"

internal class LatencyArticle : NamedArticle(NOTEBOOK, latencyClaims + capacityClaims + steadyLatencyClaims)

/** The claims about latency in an open loop, beyond the sources. */
internal val latencyClaims: List<Claim> = claims(NOTEBOOK) {
    check("latency.theory", "delay + 1 s − 0.01 · 10 s, by arithmetic", PAUSED)
        .says(
            "If a server pauses for 1 s in every 10, one request in a hundred takes at least 0.9 s more than the delay, counted from " +
                "its planned time.",
        ) { trials ->
            PAUSED_CLIENTS.map { trials.of(it, Factor.LOOP, "open") }.map { group ->
                val delay = group.number(Factor.DELAY_MS)?.toDouble() ?: 0.0
                group.part("99th percentile less the delay, in s", Bound(0.88, 0.95), group.values(P99).map { (it - delay) / 1_000 })
            }
        }
    claim("latency.omission", "coordinated omission, G. Tene", PAUSED)
        .says("Of the same pause a closed loop reports less than a tenth: what waited behind it was never sent.") { trials ->
            PAUSED_CLIENTS.map { client ->
                val (open, closed) = listOf("open", "closed").map { trials.of(client, Factor.LOOP, it) }
                val ratios = perRound(closed.counted, open.counted, "sentLatencyP99Ms", P99)
                closed.part("99th percentile, closed loop / open loop", Bound(high = 0.1), ratios)
            }
        }
    claim("latency.random", "queueing theory", ARRIVALS)
        .says("Arrivals at random make the slowest requests slower than arrivals at equal distances, at one and the same rate.") { trials ->
            trials.byTreatment().map { it.client }.distinct().map { client ->
                val (random, even) = listOf("poisson", "constant").map { trials.of(client, Factor.ARRIVALS, it) }
                random.part("99th percentile, random / constant", Bound(low = 1.0), perRound(random.counted, even.counted, P99))
            }
        }
    claim("latency.generator", "1 ms at the 99th percentile, set before", *RATES, HALF)
        .says("At half of what a client answers at most, the generator itself is less than a millisecond late.") { trials ->
            val (half, rates) = listOf(true, false).map { isHalf -> trials.filter { (it["experiment"] == "latency-half") == isHalf } }
            val most = rates.byTreatment().groupBy { it.client }.mapValues { (_, groups) -> mostAnswered(groups).value }
            half.byTreatment().map { group ->
                val isHalf = abs(group.rate() * 2 / (most[group.client] ?: Double.NaN) - 1) <= ABOUT
                val late = group.values("generatorLagP99Ms").takeIf { isHalf }.orEmpty()
                Part.median("${group.client}, ${group.rate()} a second", "generator's lateness, in ms", Bound(high = 1.0), late)
            }
        }
    claim("latency.all", "none", FIRST_SECONDS)
        .says("At 500 requests a second every client answers all of them, 99 % within ten times the delay of 5 ms.") { trials ->
            answersInTime(trials.byTreatment().filter { it.rate() == 500 })
        }
    claim("latency.half", "none", HALF)
        .says(
            "At half of what it answers at most, every client still answers all requests, 99 % within ten times the delay of 5 ms.",
        ) { trials -> answersInTime(trials.byTreatment()) }
}

private fun answersInTime(groups: List<TreatmentTrials>): List<Part> =
    groups.flatMap {
        listOf(
            it.part("share answered", Bound(low = 1.0), "answeredShare"),
            it.part("99th percentile, in ms", Bound(high = 50.0), P99),
        )
    }

private const val ABOUT = 0.02
