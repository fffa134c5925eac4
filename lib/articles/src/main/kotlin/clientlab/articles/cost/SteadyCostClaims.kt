package clientlab.articles.cost

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val NOTEBOOK = "14-cost"
private const val RUN = "cost-steady-2026-11"
private const val SCOPE = "In this set-up (JDK 25, two cores, 64 requests in flight, answered at once)"
private const val SPIN = "spin-rate-2026-11"
private const val SPIN_CAPACITY = "spin-capacity-2026-11"
private const val SPIN_MS = 0.1
private const val CPU = "requestCpuMs"
private const val CAPACITY = "capacityPerSecond"
private val KINDS = listOf("client", "harness", "compilers", "collector", "other").map { "${it}CpuSeconds" }

/** The claims about the cost of a request in steady forks, and in young ones beside them. Their bounds were set before the run. */
internal val steadyCostClaims: List<Claim> = claims(NOTEBOOK) {
    claim("cost.steady", "less, set before", RUN)
        .says(
            "$SCOPE a request of a steady fork takes the threads of java.net.http less processor time than those of any Ktor engine.",
        ) { trials ->
            val jdk = trials.of("jdk", Factor.START, Start.Steady.label).counted
            trials.aged(Start.Steady).filter { it.client.startsWith("ktor-") }.map {
                it.part("processor time, by that of jdk", Bound(low = 1.0), perRound(it.counted, jdk, CPU))
            }
        }
    claim("cost.young", "at least 1.5, set before", RUN)
        .says(
            "$SCOPE a request of a young fork takes the client at least one and a half times the processor time of a steady one.",
        ) { trials ->
            trials.aged(Start.Warm).map { young ->
                val steady = trials.of(young.client, Factor.START, Start.Steady.label).counted
                young.part("processor time of the client, young / steady", Bound(low = 1.5), perRound(young.counted, steady, CPU))
            }
        }
    claim("cost.compilers", "at least 0.5, set before", RUN)
        .says("$SCOPE the compilers of a young fork take at least half as much processor time as the client's threads.") { trials ->
            trials.aged(Start.Warm).map {
                it.part("processor time, compilers / client", Bound(low = 0.5), it.ratios("compilersCpuSeconds", "clientCpuSeconds"))
            }
        }
    claim("cost.spin", "0.09 to 0.11 ms, set before", SPIN)
        .says(
            "On one processor, at 1,000 requests a second, a client that is made slower by 100 µs of processor time per request is found " +
                "to cost 90 to 110 µs more.",
        ) { trials ->
            val (plain, spun) = listOf("plain", "spun").map { trials.of(it) }
            val added = perRound(spun.counted, plain.counted, CPU) { a, b -> a - b }
            listOf(spun.part("processor time per request less that of plain, in ms", Bound(0.09, 0.11), added))
        }
}

/** What a slower client can do on one processor. */
internal val spinCapacityClaims: List<Claim> = claims(NOTEBOOK) {
    claim("cost.spin-capacity", "within 10 % of arithmetic, set before", SPIN_CAPACITY)
        .says(
            "On one processor, 100 µs more per request take the share of the capacity that they take of all processor time of a request.",
        ) { trials ->
            val (plain, spun) = listOf("plain", "spun").map { trials.of(it) }
            val found = perRound(spun.counted, plain.counted, CAPACITY)
            val stated = plain.wholeCosts().let { costs -> if (costs.isEmpty()) null else Bootstrap.median(costs).value }
            val ratios = found.mapNotNull { ratio -> stated?.let { ratio / (it / (it + SPIN_MS)) } }
            listOf(spun.part("capacity by that of plain / by arithmetic", Bound(0.9, 1.1), ratios))
        }
}

private fun Trials<*>.aged(start: Start): List<TreatmentTrials> =
    byTreatment().filter { it.start == start.label && it[Factor.TASKS] != null }

/** All processor time that a request takes of its JVM, with that of the generator and the compilers, in ms: they share the processor. */
private fun TreatmentTrials.wholeCosts(): List<Double> = counted.mapNotNull { row ->
    row.metric("requests")?.takeIf { it > 0 }?.let { requests -> KINDS.sumOf { row.metric(it) ?: 0.0 } * 1e3 / requests }
}
