package clientlab.articles.loom

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val NOTEBOOK = "03-virtual-threads"
private const val RUN = "tasks-steady-2026-11"
private const val SCOPE = "In this set-up (JDK 25, two cores, 10,000 tasks of one call)"

/** The claims about executors in steady forks, beyond the source. Their bounds were set before the run. */
internal val steadyLoomClaims: List<Claim> = claims(NOTEBOOK) {
    claim("loom.age", "less than 1, by the rule delay = k × s − base", RUN)
        .says("$SCOPE virtual threads overtake the pool at a shorter delay in steady forks than in young ones.") { trials ->
            val (steady, young) = trials.crossoverRounds().partition { it.start == Start.Steady.label }
            val ratios = steady.mapNotNull { one ->
                val other = young.firstOrNull { it.round == one.round && it.pool == one.pool }?.atMs
                one.atMs?.let { at -> other?.let { at / it } }
            }
            val words = "crossing of steady forks / of young ones"
            listOf(Part.median(LoomSource.POOL, words, Bound(high = 1.0), ratios.filter { it.isFinite() }))
        }
    claim("loom.cost", "at most 0.8, set before", RUN)
        .says("$SCOPE a call without a delay takes a steady fork at most four fifths of the processor time of a young one.") { trials ->
            listOf(LoomSource.POOL, LoomSource.VIRTUAL).map { executor ->
                val (steady, young) = listOf(Start.Steady, Start.Warm).map { start ->
                    trials.undisturbed().firstOrNull { it.executor == executor && it.delayMs == 0 && it.start == start.label }
                }
                val ratios = perRound(steady?.counted.orEmpty(), young?.counted.orEmpty(), "clientCpuSeconds")
                Part.median(executor, "processor time of the client, steady / young", Bound(high = 0.8), ratios)
            }
        }
}
