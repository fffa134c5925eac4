package clientlab.articles.cost

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val NOTEBOOK = "14-cost"
private const val RUN = "cost-steady-2026-11"
private const val SCOPE = "In this set-up (JDK 25, two cores, 64 requests in flight, answered at once)"
private const val CPU = "requestCpuMs"

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
}

private fun Trials<*>.aged(start: Start): List<TreatmentTrials> =
    byTreatment().filter { it.start == start.label && it[Factor.TASKS] != null }
