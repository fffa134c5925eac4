package clientlab.articles.cost

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val SOURCE = Claim.BEYOND
private val WITHIN = listOf("cost-within-2026-11")
private val REQUESTS = listOf("cost-requests-2026-11")
private const val FEW_THREADS = "512"
private val BLOCKING = listOf("retrofit", "okhttp", "ktor-okhttp", "urlconnection")
private val ASYNC = listOf("ktor-cio", "ktor-java", "ktor-apache5", "jdk", "apache5-async")

/** The claims about the cost of clients, beyond the sources. */
internal val costClaims: List<Claim> =
    listOf(
        Claim(
            id = "cost.threads",
            source = SOURCE,
            words = "Within 512 threads, a client that holds a thread for each request has fewer than 512 in flight before it fails.",
            figure = "fewer than 512, by counting",
            evidence = WITHIN,
            notebook = NOTEBOOK,
        ) { trials ->
            BLOCKING.map {
                Part.median(it, "most in flight within 512 threads", Bound(high = 511.0), trials.held(it, few = true))
            }
        },
        Claim(
            id = "cost.waiting",
            source = SOURCE,
            words = "Within the same 512 threads, a client that suspends or is called back has at least 2,000 in flight in 256 MiB.",
            figure = "at least 2,000, set before",
            evidence = WITHIN,
            notebook = NOTEBOOK,
        ) { trials ->
            ASYNC.map {
                Part.median(it, "most in flight within 512 threads", Bound(low = 2_000.0), trials.held(it, few = true))
            }
        },
        Claim(
            id = "cost.memory",
            source = SOURCE,
            words =
                "Without a limit to threads, memory is the next: in 256 MiB those that hold a thread have at most half as many in " +
                    "flight as java.net.http.",
            figure = "at most half, set before",
            evidence = WITHIN,
            notebook = NOTEBOOK,
        ) { trials ->
            val most = trials
                .group("jdk", few = false)
                ?.counted
                .orEmpty()
                .associate { it.round to it["heldInFlight"] as Double }
            BLOCKING.map { client ->
                val ratios =
                    trials.group(client, few = false)?.counted.orEmpty().mapNotNull { row ->
                        most[row.round]?.let { (row["heldInFlight"] as Double) / it }
                    }
                Part.median(client, "most in flight, by that of jdk", Bound(high = 0.5), ratios)
            }
        },
        Claim(
            id = "cost.cpu",
            source = SOURCE,
            words = "A thousand fast requests take less processor time with java.net.http than with any of Ktor's engines.",
            figure = "less, stated",
            evidence = REQUESTS,
            notebook = NOTEBOOK,
        ) { trials ->
            val ofJdk = trials
                .byTreatment()
                .firstOrNull { it.client == "jdk" }
                ?.counted
                .orEmpty()
            val jdk = ofJdk.associate { it.round to it["requestCpuMs"] as Double }
            trials.byTreatment().filter { it.client.startsWith("ktor-") }.map { group ->
                val ratios = group.counted.mapNotNull { row -> jdk[row.round]?.let { (row["requestCpuMs"] as Double) / it } }
                Part.median(group.client, "processor time, by that of jdk", Bound(low = 1.0), ratios)
            }
        },
    )

private fun Trials<*>.held(client: String, few: Boolean): List<Double> = group(client, few)?.values("heldInFlight").orEmpty()

private fun Trials<*>.group(client: String, few: Boolean): TreatmentTrials? =
    byTreatment().firstOrNull { it.client == client && (it[Factor.THREADS] == FEW_THREADS) == few }
