package clientlab.capacity

import kotlin.math.roundToInt
import kotlin.math.sqrt

/** One try at [level], for example at a number of requests a second; [passed] is null if it decides nothing. */
internal interface Probe {
    val level: Int
    val passed: Boolean?
}

/** How a search ended. */
internal enum class Ending {
    /** Both ends of a narrow bracket have two equal results. */
    Found,

    /** The highest level passed twice: the limit is there or higher. */
    AllPassed,

    /** The lowest level failed twice: the limit is lower. */
    NonePassed,

    /** Two probes at one level decided nothing: the limit is at least the highest level that passed. */
    Undecided,

    /** The probes contradicted each other until there were too many. */
    Unsettled,
}

/**
 * What a search found.
 *
 * @property capacity the highest level that passed by majority, or null if none did.
 * @property beyond the lowest level that failed by majority, or null if none did.
 * @property probes all probes in their order.
 */
internal class Found<P : Probe>(val ending: Ending, val capacity: Int?, val beyond: Int?, val probes: List<P>)

/**
 * A search for the highest level that passes, where every level below a limit should pass and every level above it should fail.
 *
 * It doubles [start] until a probe fails or [highest] passes (or halves it until one passes or [lowest] fails). Then it bisects: the next
 * level is the geometric mean of the bracket's ends, until they differ by [tolerance] at most. Then it repeats both ends until each has two
 * equal results of at most three. If a majority contradicts an end's first result, the end moves and the search goes on from there. A probe
 * that decides nothing is repeated once; a second one at that level ends the search.
 *
 * *Error.* From a bracket of a factor of two, four bisections leave a factor of 2^(1/16) = 1.044. So the capacity is 0 to 4.2 % below the
 * limit, 2.1 % on average. Without contradictions a search takes `8 + k` probes, where k is the number of doublings that passed (or of
 * halvings that failed).
 *
 * *Noise.* If a probe is wrong with probability p, a majority of three is wrong with p²(3 − 2p): 0.7 % for 5 %, 2.8 % for 10 %, 10 % for
 * 20 %. A wrong first result always becomes an end of the bracket, because every later level lies on its other side. So it is always
 * repeated, and survives with 2p − p². Over L levels an answer is wrong with about L·p²(2 − p) + 2p²(1 − p). If one probe in twenty is
 * wrong at every level, 7 % of simulated searches are; without repeats 37 % would be (1 − 0.95⁹). Real probes are wrong near the edge.
 *
 * It is a pure function of the probes' results. The idea of a load that adapts to what it finds is that of Nighthawk's adaptive load
 * controller.
 */
internal class CapacitySearch(
    private val start: Int,
    private val lowest: Int,
    private val highest: Int,
    private val tolerance: Double = TOLERANCE,
    private val mostProbes: Int = MOST_PROBES,
) {
    init {
        require(lowest in 1..start && start <= highest && tolerance > 0) { "$lowest <= $start <= $highest does not hold." }
    }

    fun <P : Probe> search(probe: (Int) -> P): Found<P> {
        val probes = ArrayList<P>()
        while (true) {
            val votes = Votes(probes)
            val next = next(votes) ?: return votes.found(ending(votes))
            if (probes.size == mostProbes) return votes.found(Ending.Unsettled)
            probes += probe(next)
        }
    }

    /** The level of the next probe, or null if the search has ended. */
    private fun next(votes: Votes<*>): Int? {
        if (votes.givenUp) return votes.capacity?.takeUnless(votes::confirmed)
        votes.open?.let { return it }
        val (low, high) = votes.capacity to votes.beyond
        // A disturbance makes a probe fail rather than pass, so the failed end is repeated first.
        return step(low, high) ?: listOfNotNull(high, low).firstOrNull { !votes.confirmed(it) }
    }

    /** A level inside the bracket, or beyond the last one that is known; null if the bracket is narrow or there is nothing beyond. */
    private fun step(low: Int?, high: Int?): Int? =
        when {
            low == null && high == null -> start
            high == null -> low?.takeIf { it < highest }?.let { minOf(it * 2, highest) }
            low == null -> high.takeIf { it > lowest }?.let { maxOf(it / 2, lowest) }
            high - low <= 1 || high <= low * (1 + tolerance) -> null
            else -> sqrt(low.toDouble() * high).roundToInt().coerceIn(low + 1, high - 1)
        }

    private fun ending(votes: Votes<*>): Ending =
        when {
            votes.givenUp -> Ending.Undecided
            votes.beyond == null -> Ending.AllPassed
            votes.capacity == null -> Ending.NonePassed
            else -> Ending.Found
        }

    companion object {
        const val TOLERANCE = 0.05
        const val MOST_PROBES = 20
    }
}

/** The results of [probes] by level. Levels that pass by majority lie below those that fail, because each new level was between them. */
private class Votes<P : Probe>(private val probes: List<P>) {
    private val byLevel = probes.groupBy { it.level }
    private val leads = byLevel.mapValues { (_, all) -> all.count { it.passed == true } - all.count { it.passed == false } }

    val capacity: Int? = leads.filterValues { it > 0 }.keys.maxOrNull()
    val beyond: Int? = leads.filterValues { it < 0 }.keys.minOrNull()

    /** A level with as many passes as failures: it needs another probe. */
    val open: Int? = leads.filterValues { it == 0 }.keys.firstOrNull()
    val givenUp: Boolean = byLevel.values.any { all -> all.count { it.passed == null } >= ENOUGH }

    fun confirmed(level: Int): Boolean = byLevel.getValue(level).let { all ->
        all.count { it.passed == (leads.getValue(level) > 0) } >=
            ENOUGH
    }

    fun found(ending: Ending): Found<P> = Found(ending, capacity, beyond, probes.toList())

    private companion object {
        private const val ENOUGH = 2
    }
}
