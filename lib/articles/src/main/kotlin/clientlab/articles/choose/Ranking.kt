package clientlab.articles.choose

import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/**
 * A client among those that were compared for a use.
 *
 * @property place one more than the number of clients that are surely better: whose 95 % interval lies on the better side of this one's. Behind
 *   a client with a better estimate it is at least that one's.
 * @property timesTheBest how many times as much it takes as the best one, or as few times as much it does; at least 1.
 */
internal data class Ranked(val client: String, val place: Int, val estimate: Estimate, val timesTheBest: Double)

/** The clients of [UseCase.run], the best one first. */
internal class Ranking(val use: UseCase, trials: Trials<*>) {
    val origin: Origin = Origin(trials.origin(), trials.runs())

    private val measured =
        trials.byTreatment().filter(use.of).associate { it.client to Bootstrap.median(use.values(it)) }.filterValues { it.n > 0 }
    val clients: List<Ranked> = ranked(measured.filterValues { it.n >= FEWEST }, use.best)

    /** Those with too few forks that count, which have no place. */
    val undecided: Map<String, Estimate> = measured.filterValues { it.n < FEWEST }

    /** The one that takes most of all, or that gives a concern most often. */
    val last: Ranked get() = if (use.hasRatio) clients.maxBy { it.timesTheBest } else clients.last()

    /** Those that no other client is surely better than. */
    val first: List<Ranked> get() = clients.filter { it.place == 1 }

    companion object {
        /** With fewer forks the interval of a median does not hold in 95 of 100 cases. */
        private const val FEWEST = 5

        /** Clients by their estimates, the best one first. */
        fun ranked(estimates: Map<String, Estimate>, best: Best): List<Ranked> {
            // So that less is better.
            fun cost(value: Double) = if (best == Best.Smallest) value else -value

            fun worstCost(of: Estimate) = maxOf(cost(of.low), cost(of.high))

            fun leastCost(of: Estimate) = minOf(cost(of.low), cost(of.high))
            val least = estimates.values.minOfOrNull { cost(it.value) } ?: return emptyList()
            var place = 1
            return estimates.entries.sortedBy { (_, of) -> cost(of.value) }.map { (client, of) ->
                place = maxOf(place, 1 + estimates.values.count { worstCost(it) < leastCost(of) })
                Ranked(client, place, of, if (best == Best.Smallest) of.value / least else -least / of.value)
            }
        }
    }
}
