package clientlab.articles.latency

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import org.jetbrains.kotlinx.dataframe.api.filter
import kotlin.math.abs

private const val SOURCE = Claim.BEYOND

/** Runs with a warm-up of three seconds by turns. They show a client's first seconds at a rate. */
private val FIRST_SECONDS = listOf("latency-2026-11c")
private val RATES = listOf("latency-2026-11d", "latency-high-2026-11b", "latency-higher-2026-11")
private val HALF = listOf("latency-half-2026-11b")
private val PAUSED = listOf("latency-paused-2026-11b")
private val ARRIVALS = listOf("latency-arrivals-2026-11b")
private val PAUSED_CLIENTS = listOf("okhttp", "jdk")

/** The claims about latency in an open loop, beyond the sources. */
internal val latencyClaims: List<Claim> =
    listOf(
        Claim(
            id = "latency.theory",
            source = SOURCE,
            words =
                "Behind a server that pauses for 1 s in every 10, one request in a hundred takes 0.9 s and the delay, counted from " +
                    "when it was planned.",
            figure = "delay + 1 s − 0.01 · 10 s, by arithmetic",
            evidence = PAUSED,
            notebook = NOTEBOOK,
        ) { trials ->
            PAUSED_CLIENTS.map { client ->
                val group = trials.of(client, "open")
                val delay = group?.number(Factor.DELAY_MS)?.toDouble() ?: 0.0
                Part.median(
                    client,
                    "99th percentile less the delay, in s",
                    Bound(0.88, 0.95),
                    group?.values("latencyP99Ms").orEmpty().map { (it - delay) / 1_000 },
                )
            }
        },
        Claim(
            id = "latency.omission",
            source = SOURCE,
            words = "Of the same pause a closed loop reports less than a tenth: what waited behind it was never sent.",
            figure = "coordinated omission, G. Tene",
            evidence = PAUSED,
            notebook = NOTEBOOK,
        ) { trials ->
            PAUSED_CLIENTS.map { client ->
                val open = trials
                    .of(client, "open")
                    ?.counted
                    .orEmpty()
                    .associateBy { it.round }
                val ratios =
                    trials.of(client, "closed")?.counted.orEmpty().mapNotNull { wrong ->
                        open[wrong.round]?.let { right -> (wrong["sentLatencyP99Ms"] as Double) / (right["latencyP99Ms"] as Double) }
                    }
                Part.median(client, "99th percentile, closed loop / open loop", Bound(high = 0.1), ratios)
            }
        },
        Claim(
            id = "latency.random",
            source = SOURCE,
            words = "Arrivals at random make the slowest requests slower than arrivals at equal distances, at one and the same rate.",
            figure = "queueing theory",
            evidence = ARRIVALS,
            notebook = NOTEBOOK,
        ) { trials ->
            trials.byTreatment().map { it.client }.distinct().map { client ->
                fun by(arrivals: String) =
                    trials
                        .byTreatment()
                        .firstOrNull { it.client == client && it[Factor.ARRIVALS] == arrivals }
                        ?.counted
                        .orEmpty()
                val even = by("constant").associateBy { it.round }
                val ratios =
                    by("poisson").mapNotNull { random ->
                        even[random.round]?.let { (random["latencyP99Ms"] as Double) / (it["latencyP99Ms"] as Double) }
                    }
                Part.median(client, "99th percentile, random / constant", Bound(low = 1.0), ratios)
            }
        },
        Claim(
            id = "latency.generator",
            source = SOURCE,
            words = "At half of what a client answers at most, the generator itself is less than a millisecond late.",
            figure = "1 ms at the 99th percentile, set before",
            evidence = RATES + HALF,
            notebook = NOTEBOOK,
        ) { trials ->
            val half = trials.filter { it["experiment"] == HALF_LOAD }
            val most = trials.filter { it["experiment"] != HALF_LOAD }.byTreatment().groupBy { it.client }.mapValues { (_, groups) ->
                mostAnswered(groups).value
            }
            half.byTreatment().map { group ->
                val isHalf = abs(group.rate() * 2 / (most[group.client] ?: Double.NaN) - 1) <= ABOUT
                val late = group.values("generatorLagP99Ms").takeIf { isHalf }.orEmpty()
                Part.median("${group.client}, ${group.rate()} a second", "generator's lateness, in ms", Bound(high = 1.0), late)
            }
        },
        Claim(
            id = "latency.all",
            source = SOURCE,
            words = "At 500 requests a second every client answers all of them, 99 % within ten times the delay of 5 ms.",
            figure = "none",
            evidence = FIRST_SECONDS,
            notebook = NOTEBOOK,
        ) { trials -> answersInTime(trials.byTreatment().filter { it.rate() == LEAST }) },
        Claim(
            id = "latency.half",
            source = SOURCE,
            words = "At half of what it answers at most, every client still answers all requests, 99 % within ten times the delay of 5 ms.",
            figure = "none",
            evidence = HALF,
            notebook = NOTEBOOK,
        ) { trials -> answersInTime(trials.byTreatment()) },
    )

private fun answersInTime(groups: List<TreatmentTrials>): List<Part> =
    groups.flatMap { group ->
        listOf(
            Part.median(group.client, "share answered", Bound(low = 1.0), group.values("answeredShare")),
            Part.median(group.client, "99th percentile, in ms", Bound(high = 50.0), group.values("latencyP99Ms")),
        )
    }

private fun Trials<*>.of(client: String, loop: String): TreatmentTrials? =
    byTreatment().firstOrNull { it.client == client && it[Factor.LOOP] == loop }

private const val HALF_LOAD = "latency-half"
private const val ABOUT = 0.02
private const val LEAST = 500
