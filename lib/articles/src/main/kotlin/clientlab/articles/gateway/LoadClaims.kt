package clientlab.articles.gateway

import clientlab.*
import clientlab.burst.*
import clientlab.closedloop.*
import clientlab.gatewayload.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val SOURCE = "000"

private val THREADS = listOf("threads-2026-11")

private val GATEWAY = listOf("gateway-2026-11")

private val CLIMB = listOf("gateway-climb-2026-11")

private val FAST = listOf("fast-2026-11")

private val IDLE_IO = listOf("idle-io-2026-11")

private const val RATE = 500

private const val MANY = 500

private const val FEW = 100

/** What source 000 says of steady load, fast calls and idle workers. */
internal val loadClaims: List<Claim> =
    listOf(
        Claim(
            id = "threads.idle-io",
            source = SOURCE,
            words =
                "Workers of Dispatchers.IO that are parked while requests wait are usable: 150 × 64 blocking tasks of 10 ms beside the " +
                    "requests raise neither the number of threads nor the time by much.",
            figure = "printed log: 10 to 29 threads more, time as without",
            evidence = IDLE_IO,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf("retrofit", "ktor-java").flatMap { client ->
                listOf(
                    Part.median(
                        client,
                        "threads with the tasks / without",
                        Bound(high = 1.2),
                        besides(trials, client, "activeNew"),
                        burst("activeNew"),
                    ),
                    Part.median(
                        client,
                        "time with the tasks / without",
                        Bound(high = 1.2),
                        besides(trials, client, "durationMs"),
                        burst("durationMs"),
                    ),
                )
            }
        },
        Claim(
            id = "threads.little",
            source = SOURCE,
            words =
                "A gateway that blocks holds as many threads as requests arrive while one waits (Little's law): 500 a second of 2 s each " +
                    "hold the 1,000 of the source's 10,000 a second of 100 ms.",
            figure = "10,000 requests/s × 100 ms: 1,000 threads",
            evidence = CLIMB,
            notebook = NOTEBOOK,
        ) { trials ->
            val law = "threads beyond those before the first request / (rate × delay)"
            listOf(Part.median("gateway of retrofit", law, Bound(0.9, 1.2), steady(trials, "retrofit").flatMap(::byLaw)))
        },
        Claim(
            id = "threads.megabyte",
            source = SOURCE,
            words =
                "A thread costs about 1 MB of RAM; here per thread more at $MANY requests than at $FEW, with all that its request takes.",
            figure = "around 1 MB",
            evidence = THREADS,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf("retrofit", "ktor-okhttp", "jdk-blocking").map {
                Part.median(it, "resident MB for each thread more", Bound(0.5, 2.0), megabytesPerThread(trials, it))
            }
        },
        Claim(
            id = "threads.choice",
            source = SOURCE,
            words =
                "For many delayed requests Ktor with Java or Apache5 is the most efficient choice: no other answers them for clearly less.",
            figure = "stated",
            evidence = GATEWAY,
            notebook = NOTEBOOK,
        ) { trials -> listOf("ktor-java", "ktor-apache5").flatMap { choice(trials, it) } },
        Claim(
            id = "threads.production",
            source = SOURCE,
            words = "Replacing Retrofit in one module of thirty showed no visible gain.",
            figure = "an anecdote",
            evidence = emptyList(),
            notebook = NOTEBOOK,
            untestable = "It is about one application of another company, of which the source gives neither load nor figures.",
        ) { emptyList() },
        Claim(
            id = "threads.fast",
            source = SOURCE,
            words = "For many very fast requests Retrofit may beat Ktor with Java and with Apache5.",
            figure = "stated, not measured",
            evidence = FAST,
            notebook = NOTEBOOK,
        ) { trials ->
            val groups = trials.byTreatment().filter { it[Factor.TASKS] != null }
            val retrofit = groups.filter { it.client == "retrofit" }.flatMap { it.values("requestsPerSecond") }
            listOf("ktor-java", "ktor-apache5").map { other ->
                val theirs = groups.filter { it.client == other }.flatMap { it.values("requestsPerSecond") }
                val floor = NoiseFloors.ratio(ClosedLoop::class, "requestsPerSecond")
                Part("retrofit / $other", "requests a second", Bound(low = 1.0), Bootstrap.ratio(retrofit, theirs), floor)
            }
        },
    )

private fun burst(metric: String) = NoiseFloors.ratio(Burst::class, metric)

/** Per fork: the threads that the load added, compared with those that rate and delay predict. */
private fun byLaw(group: TreatmentTrials): List<Double> {
    val law = RATE * (group.number(Factor.DELAY_MS) ?: 0) / MS
    return group.counted.mapNotNull { row ->
        val before = row.metric("osThreadsBaseline") ?: return@mapNotNull null
        row.metric("osThreads")?.let { (it - before) / law }
    }
}

/** Per round: [metric] of [client] with background tasks, divided by the same without. */
private fun besides(trials: Trials<*>, client: String, metric: String): List<Double> {
    val groups = trials.byTreatment().filter { it.client == client }
    val without = groups.filter { it[Factor.BACKGROUND] == "none" }.flatMap { it.counted }.associateBy { it.round }
    return groups.filter { it[Factor.BACKGROUND] == "idle-io" }.flatMap { it.counted }.mapNotNull { row ->
        val base = without[row.round]?.metric(metric) ?: return@mapNotNull null
        row.metric(metric)?.let { it / base }
    }
}

/** Gateways of [client] at the rate of the claims. */
private fun steady(trials: Trials<*>, client: String): List<TreatmentTrials> =
    trials.byTreatment().filter { it.client == client && it.number(Factor.RATE) == RATE.toLong() }

/** The parts that say: it survives, and no other client takes more than a tenth less processor time, memory or threads. */
private fun choice(trials: Trials<*>, client: String): List<Part> {
    val others = trials.byTreatment().filter { it.number(Factor.RATE) == RATE.toLong() && it.client != client && it.client in OTHERS }
    val mine = steady(trials, client).firstOrNull() ?: TreatmentTrials(Treatment(Factor.CLIENT to client), emptyList())
    val of = "gateway of $client"
    val survived = Part.median(of, "share of requests answered", Bound(low = 0.999), mine.values("answeredShare"))
    val against = mapOf("requestCpuMs" to "processor time", "anonPeakBytes" to "memory", "osThreadsPeak" to "threads")
    return listOf(survived) +
        against.map { (metric, words) ->
            val able = others.filter { it.median("answeredShare").value >= 0.999 && it.values(metric).isNotEmpty() }
            val best = able.minByOrNull { it.median(metric).value }
            val ratio = Bootstrap.ratio(mine.values(metric), best?.values(metric).orEmpty())
            val floor = NoiseFloors.ratio(GatewayLoad::class, metric)
            Part(of, "$words / that of the best other${best?.let { " (${it.client})" }.orEmpty()}", Bound(high = 1.1), ratio, floor)
        }
}

private fun megabytesPerThread(trials: Trials<*>, client: String): List<Double> {
    val few = bursts(trials, client, FEW).flatMap { it.counted }.associateBy { it.round }
    return bursts(trials, client, MANY).flatMap { it.counted }.mapNotNull { row ->
        val other = few[row.round] ?: return@mapNotNull null

        fun more(metric: String): Double? = row.metric(metric)?.let { many -> other.metric(metric)?.let { many - it } }
        val bytes = more("rssBytes") ?: return@mapNotNull null
        more("osThreads")?.let { bytes / 1e6 / it }
    }
}

/** The clients that the source compares, and its solution, virtual threads. */
private val OTHERS = setOf("retrofit", "ktor-okhttp", "ktor-apache", "ktor-cio", "fuel", "retrofit-virtual")
