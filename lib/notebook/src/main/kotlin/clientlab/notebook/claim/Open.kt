package clientlab.notebook.claim

import clientlab.Factor
import clientlab.Treatment
import clientlab.burst.Burst
import clientlab.closedloop.ClosedLoop
import clientlab.gatewayload.GatewayLoad
import clientlab.notebook.frame.NoiseFloors
import clientlab.notebook.frame.TreatmentTrials
import clientlab.notebook.frame.Trials
import clientlab.notebook.frame.byTreatment
import clientlab.notebook.frame.metric
import clientlab.notebook.frame.round
import clientlab.notebook.stats.Bootstrap
import clientlab.notebook.stats.Share
import kotlin.math.abs

private const val SOURCE = "000"
private const val NOTEBOOK = "06-gateway"
private val THREADS = listOf("threads-2026-11")
private val GATEWAY = listOf("gateway-2026-11")
private val CLIMB = listOf("gateway-climb-2026-11")
private val FAST = listOf("fast-2026-11")
private val IDLE_IO = listOf("idle-io-2026-11")
private val CAPS = listOf("uneven-caps-2026-11")
private const val RATE = 500
private const val MANY = 500
private const val FEW = 100
private const val BEYOND = 1200

/** What source 000 leaves open or says beside its figures: steady load, fast calls, idle workers, its own tables and code. */
internal val openClaims: List<Claim> =
    listOf(
        Claim(
            "threads.idle-io",
            SOURCE,
            "Workers of Dispatchers.IO that are parked while requests wait are usable: 150 × 64 blocking tasks of 10 ms beside the " +
                "requests raise neither the number of threads nor the time by much.",
            "printed log: 10 to 29 threads more, time as without",
            IDLE_IO,
            NOTEBOOK,
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
            "threads.little",
            SOURCE,
            "A gateway that blocks holds as many threads as requests arrive while one waits (Little's law): 500 a second of 2 s each " +
                "hold the 1,000 of the source's 10,000 a second of 100 ms.",
            "10,000 requests/s × 100 ms: 1,000 threads",
            CLIMB,
            NOTEBOOK,
        ) { trials ->
            val law = "threads beyond those before the first request / (rate × delay)"
            listOf(Part.median("gateway of retrofit", law, Bound(0.9, 1.2), steady(trials, "retrofit").flatMap(::byLaw)))
        },
        Claim(
            "threads.megabyte",
            SOURCE,
            "A thread costs about 1 MB of RAM; here per thread more at $MANY requests than at $FEW, with all that its request takes.",
            "around 1 MB",
            THREADS,
            NOTEBOOK,
        ) { trials ->
            listOf("retrofit", "ktor-okhttp", "jdk-blocking").map {
                Part.median(it, "resident MB for each thread more", Bound(0.5, 2.0), megabytesPerThread(trials, it))
            }
        },
        Claim(
            "threads.choice",
            SOURCE,
            "For many delayed requests Ktor with Java or Apache5 is the most efficient choice: no other answers them for clearly less.",
            "stated",
            GATEWAY,
            NOTEBOOK,
        ) { trials -> listOf("ktor-java", "ktor-apache5").flatMap { choice(trials, it) } },
        Claim(
            "threads.production",
            SOURCE,
            "Replacing Retrofit in one module of thirty showed no visible gain.",
            "an anecdote",
            emptyList(),
            NOTEBOOK,
            untestable = "It is about one application of another company, of which the source gives neither load nor figures.",
        ) { emptyList() },
        Claim(
            "threads.fast",
            SOURCE,
            "For many very fast requests Retrofit may beat Ktor with Java and with Apache5.",
            "stated, not measured",
            FAST,
            NOTEBOOK,
        ) { trials ->
            val groups = trials.byTreatment().filter { it[Factor.TASKS] != null }
            val retrofit = groups.filter { it.client == "retrofit" }.flatMap { it.values("requestsPerSecond") }
            listOf("ktor-java", "ktor-apache5").map { other ->
                val theirs = groups.filter { it.client == other }.flatMap { it.values("requestsPerSecond") }
                val floor = NoiseFloors.ratio(ClosedLoop::class, "requestsPerSecond")
                Part("retrofit / $other", "requests a second", Bound(low = 1.0), Bootstrap.ratio(retrofit, theirs), floor)
            }
        },
        Claim(
            "threads.arrived",
            SOURCE,
            "One second after the start all requests have arrived at the server, as the source takes for granted: over cleartext. Over " +
                "TLS, where many had not, it is not measured yet.",
            "threads are counted after 1 s",
            THREADS,
            NOTEBOOK,
        ) { trials ->
            listOf("retrofit", "ktor-okhttp", "fuel", "ktor-apache", "ktor-apache5", "ktor-java", "ktor-cio").map { client ->
                val arrived = bursts(trials, client, MANY).flatMap { it.values("snapshotAtMs") }
                Part.median("$client at $MANY", "ms until the server had all in flight", Bound(high = MS), arrived)
            }
        },
        Claim(
            "threads.uneven-caps",
            SOURCE,
            "The source raises the limit of some clients only: Ktor Apache5 as it sets it stops at Ktor's 1,000, and opened it does not.",
            "found by reading",
            CAPS,
            NOTEBOOK,
        ) { trials ->
            listOf("ktor-apache5@article" to 1000.0, "ktor-apache5" to BEYOND.toDouble()).map { (client, held) ->
                val peaks = bursts(trials, client, BEYOND).flatMap { it.values("inFlightPeak") }
                Part.median("$client, asked for $BEYOND", "most in flight, as the server saw it", Bound(held, held), peaks)
            }
        },
        Claim(
            "threads.warmup",
            SOURCE,
            "The source says that it warms up; in its published code the loop that would is commented out.",
            "\"there is also a warmup phase\"",
            emptyList(),
            NOTEBOOK,
            untestable =
                "It is a statement about the source's code, seen by reading it. None of its figures can tell: it ends OkHttp's threads " +
                    "after each burst, so that they are new in a warm JVM too. What a warm-up changes is measured in threads.plus-one.",
        ) { emptyList() },
        Claim(
            "threads.average",
            SOURCE,
            "The ± 300 ms beside the source's times is no measured spread: more of its own logged times lie beyond than one in twenty.",
            "± 300 ms, added by hand",
            emptyList(),
            NOTEBOOK,
        ) {
            val off = SourceLog.all.flatMap { row -> row.averageMs?.let { average -> row.timesMs.map { abs(it - average) } }.orEmpty() }
            val beyond = Share.of(off.count { it > BY_HAND_MS }, off.size)
            listOf(Part("its two logs against its table", "share of times beyond ± 300 ms", Bound(low = 0.05), beyond))
        },
        Claim(
            "threads.table",
            SOURCE,
            "The source's second table is of 500 requests, not of the 1,000 that its text says.",
            "text: 1000; column: 500",
            emptyList(),
            NOTEBOOK,
        ) {
            val held = SourceLog.all
                .filter { it.blocking }
                .flatMap { it.unparkedNew + it.tableThreads }
                .map { it - 1.0 }
            listOf(Part.median("blocking clients, table and logs", "threads beyond the one for housekeeping", Bound(500.0, 500.0), held))
        },
        Claim(
            "threads.idle-log",
            SOURCE,
            "The source says that tasks beside the requests have a huge impact on the number of unparked threads; the log it gives for " +
                "that shows none, so it is no log of that experiment.",
            "second log, against the first",
            emptyList(),
            NOTEBOOK,
        ) {
            val more = SourceLog.all.map { (it.unparkedNew[1] - it.unparkedNew[0]).toDouble() }
            listOf(Part.median("the source's seven clients", "unparked threads more in its second log", Bound(0.0, 5.0), more))
        },
    )

private fun burst(metric: String) = NoiseFloors.ratio(Burst::class, metric)

/** For each fork: the threads that the load brought, against those that rate and delay predict. */
private fun byLaw(group: TreatmentTrials): List<Double> {
    val law = RATE * (group.number(Factor.DELAY_MS) ?: 0) / MS
    return group.counted.mapNotNull { row ->
        val before = row.metric("osThreadsBaseline") ?: return@mapNotNull null
        row.metric("osThreads")?.let { (it - before) / law }
    }
}

/** For each round: [metric] of [client] with the tasks beside the requests, divided by the same without. */
private fun besides(trials: Trials, client: String, metric: String): List<Double> {
    val groups = trials.byTreatment().filter { it.client == client }
    val without = groups.filter { it[Factor.BACKGROUND] == "none" }.flatMap { it.counted }.associateBy { it.round }
    return groups.filter { it[Factor.BACKGROUND] == "idle-io" }.flatMap { it.counted }.mapNotNull { row ->
        val base = without[row.round]?.metric(metric) ?: return@mapNotNull null
        row.metric(metric)?.let { it / base }
    }
}

/** Gateways of [client] at the rate that the claims are about. */
private fun steady(trials: Trials, client: String): List<TreatmentTrials> =
    trials.byTreatment().filter { it.client == client && it.number(Factor.RATE) == RATE.toLong() }

private fun bursts(trials: Trials, client: String, inFlight: Int): List<TreatmentTrials> =
    trials.byTreatment().filter { it.client == client && it.inFlight == inFlight && it.start == "warm" && it[Factor.RATE] == null }

/** That it survives, and that none of the others takes less than a tenth below what it takes: processor time, memory, threads. */
private fun choice(trials: Trials, client: String): List<Part> {
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

private fun megabytesPerThread(trials: Trials, client: String): List<Double> {
    val few = bursts(trials, client, FEW).flatMap { it.counted }.associateBy { it.round }
    return bursts(trials, client, MANY).flatMap { it.counted }.mapNotNull { row ->
        val other = few[row.round] ?: return@mapNotNull null

        fun more(metric: String): Double? = row.metric(metric)?.let { many -> other.metric(metric)?.let { many - it } }
        val bytes = more("rssBytes") ?: return@mapNotNull null
        more("osThreads")?.let { bytes / 1e6 / it }
    }
}

/** The clients that the source compares, and its way out, virtual threads. */
private val OTHERS = setOf("retrofit", "ktor-okhttp", "ktor-apache", "ktor-cio", "fuel", "retrofit-virtual")
private const val MS = 1000.0
private const val BY_HAND_MS = 300
