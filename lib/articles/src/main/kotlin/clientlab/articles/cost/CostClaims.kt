package clientlab.articles.cost

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val NOTEBOOK = "14-cost"
private const val WITHIN = "cost-within-2026-11"
private val BLOCKING = listOf("retrofit", "okhttp", "ktor-okhttp", "urlconnection")
private val ASYNC = listOf("ktor-cio", "ktor-java", "ktor-apache5", "jdk", "apache5-async")

internal class CostArticle : NamedArticle(NOTEBOOK, costClaims + steadyCostClaims + knownCostClaims)

/** The claims about what a client holds within limits, beyond the sources. */
internal val costClaims: List<Claim> = claims(NOTEBOOK) {
    claim("cost.threads", "fewer than 512, by counting", WITHIN)
        .says("Within 512 threads, a client that holds a thread for each request has fewer than 512 in flight before it fails.") { trials ->
            BLOCKING.map { trials.within(it, few = true).part("most in flight within 512 threads", Bound(high = 511.0), HELD) }
        }
    claim("cost.waiting", "at least 2,000, set before", WITHIN)
        .says(
            "Within the same 512 threads and 256 MiB, a client that holds no thread for a request has at least 2,000 in flight.",
        ) { trials ->
            ASYNC.map { trials.within(it, few = true).part("most in flight within 512 threads", Bound(low = 2_000.0), HELD) }
        }
    claim("cost.memory", "at most half, set before", WITHIN)
        .says(
            "Without a limit to threads memory is the limit: in 256 MiB a client that holds a thread for each request has at most " +
                "half as many in flight as java.net.http.",
        ) { trials ->
            val jdk = trials.within("jdk", few = false).counted
            BLOCKING.map { trials.within(it, few = false) }.map {
                it.part("most in flight, by that of jdk", Bound(high = 0.5), perRound(it.counted, jdk, HELD))
            }
        }
}

private fun Trials<*>.within(client: String, few: Boolean): TreatmentTrials = of(client) { (it[Factor.THREADS] == "512") == few }

private const val HELD = "heldInFlight"
