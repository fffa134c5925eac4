package clientlab.articles.gateway

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.closedloop.*
import clientlab.gatewayload.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

internal const val NOTEBOOK = "06-gateway"
internal const val SOURCE = "000"
internal const val THREADS = "threads-2026-11e"
internal const val MANY = 500
private const val FEW = 100
private const val RATE = 500
private const val GATEWAY = "gateway-2026-11"
private const val CLIMB = "gateway-climb-2026-11"
private const val FAST = "fast-2026-11"
private const val IDLE_IO = "idle-io-2026-11"

internal class GatewayArticle : NamedArticle(NOTEBOOK, loadClaims + ageClaims + wordClaims)

/** What source 000 says of steady load, fast calls and idle workers. */
internal val loadClaims: List<Claim> = claims(NOTEBOOK, SOURCE) {
    claim("threads.idle-io", "stated; the log that it prints does not show it", IDLE_IO)
        .says(
            "Workers of Dispatchers.IO that are parked while requests wait are usable: 150 × 64 blocking tasks of 10 ms beside the " +
                "requests raise neither the number of threads nor the time by much.",
        ) { trials ->
            listOf("retrofit", "ktor-java").flatMap { client ->
                listOf("threads" to "activeNew", "time" to "durationMs").map { (words, metric) ->
                    val ratios = perRound(trials.beside(client, "idle-io"), trials.beside(client, "none"), metric)
                    val floor = trials.ratioFloor(Burst::class, metric)
                    Part.median(client, "$words with the tasks / without", Bound(high = 1.2), ratios, floor)
                }
            }
        }
    claim("threads.little", "10,000 requests/s × 100 ms: 1,000 threads", CLIMB)
        .says(
            "A gateway that blocks holds a thread for each request under way (Little's law). The source's 10,000 requests a second " +
                "of 100 ms make 1,000 threads, and so do ours, 500 a second of 2 s.",
        ) { trials ->
            val law = "threads beyond those before the first request / (rate × delay)"
            listOf(Part.median("gateway of retrofit", law, Bound(0.9, 1.2), trials.steady { it == "retrofit" }.flatMap(::byLaw)))
        }
    claim("threads.megabyte", "around 1 MB", THREADS)
        .says(
            "A thread costs about 1 MB of RAM; here per thread more at $MANY requests than at $FEW, with all that its request takes.",
        ) { trials ->
            listOf("retrofit", "ktor-okhttp", "jdk-blocking").map {
                Part.median(it, "resident MB for each thread more", Bound(0.5, 2.0), megabytesPerThread(trials, it))
            }
        }
    claim("threads.choice", "stated", GATEWAY)
        .says(
            "For many delayed requests Ktor with Java or Apache5 is the most efficient choice: no other of the source's seven clients " +
                "answers them for clearly less, here in 256 MiB.",
        ) { trials -> listOf("ktor-java", "ktor-apache5").flatMap { choice(trials, it) } }
    claim("threads.production", "an anecdote")
        .isUntestable(
            "Replacing Retrofit in one module of thirty showed no visible gain.",
            "It is about one application of another company, of which the source gives neither load nor figures.",
        )
    claim("threads.fast", "stated, not measured", FAST)
        .says("For many very fast requests Retrofit may beat Ktor with Java and with Apache5.") { trials ->
            fun rates(id: String) =
                trials.byTreatment().filter { it[Factor.TASKS] != null && it.client == id }.flatMap { it.values("requestsPerSecond") }
            listOf("ktor-java", "ktor-apache5").map { other ->
                val floor = trials.ratioFloor(ClosedLoop::class, "requestsPerSecond")
                Part.ratio("retrofit / $other", "requests a second", Bound(low = 1.0), rates("retrofit"), rates(other), floor)
            }
        }
}

/** Per fork: the threads that the load added, compared with those that rate and delay predict. */
private fun byLaw(group: TreatmentTrials): List<Double> {
    val law = RATE * (group.number(Factor.DELAY_MS) ?: 0) / MS
    return group.counted.mapNotNull { row ->
        row.metric("osThreadsBaseline")?.let { before -> row.metric("osThreads")?.let { (it - before) / law } }
    }
}

private fun Trials<*>.beside(client: String, background: String): List<AnyTrial> =
    byTreatment().filter { it.client == client && it[Factor.BACKGROUND] == background }.flatMap { it.counted }

/** Gateways at the rate of the claims. */
private fun Trials<*>.steady(client: (String) -> Boolean): List<TreatmentTrials> =
    byTreatment().filter { client(it.client) && it.number(Factor.RATE) == RATE.toLong() }

/** The parts that say: it survives, and no other client takes more than a tenth less processor time, memory or threads. */
private fun choice(trials: Trials<*>, client: String): List<Part> {
    val able = trials.steady { it != client && it in OTHERS }.filter { it.median("answeredShare").value >= 0.999 }
    val mine = trials.of(client) { it.number(Factor.RATE) == RATE.toLong() }
    val of = "gateway of $client"
    val survived = Part.median(of, "share of requests answered", Bound(low = 0.999), mine.values("answeredShare"))
    val measures = mapOf("requestCpuMs" to "processor time", "anonPeakBytes" to "memory", "osThreadsPeak" to "threads")
    return listOf(survived) + measures.map { (metric, words) ->
        val best = able.filter { it.values(metric).isNotEmpty() }.minByOrNull { it.median(metric).value }
        val floor = trials.ratioFloor(GatewayLoad::class, metric)
        val against = "$words / that of the best other${best?.let { " (${it.client})" }.orEmpty()}"
        Part.ratio(of, against, Bound(high = 1.1), mine.values(metric), best?.values(metric).orEmpty(), floor)
    }
}

private fun megabytesPerThread(trials: Trials<*>, client: String): List<Double> {
    val (many, few) = listOf(MANY, FEW).map { level -> bursts(trials, client, level).flatMap { it.counted } }
    return pairs(many, few).mapNotNull { (row, other) ->
        fun more(metric: String): Double? = row.metric(metric)?.let { many -> other.metric(metric)?.let { many - it } }
        more("rssBytes")?.let { bytes -> more("osThreads")?.let { bytes / 1e6 / it } }
    }
}

/** The other clients that the source compares. Its solution, virtual threads, it names apart from them. */
private val OTHERS = setOf("retrofit", "ktor-okhttp", "ktor-apache", "ktor-cio", "fuel")
