package clientlab.notebook.stats

import clientlab.steady.*
import kotlin.math.exp
import kotlin.math.ln

/**
 * Rounds in which all treatments together took longer: what one treatment's scatter hides, the median over many treatments shows.
 *
 * A round's ratio is the median over the treatments of their value in that round divided by their median over all rounds. [ChangePoints]
 * cut the rounds' logarithms into stretches by PELT. It needs no reading of the machine, so it works for older runs.
 */
public object SlowRounds {
    /**
     * The ratio of each round, from the values of each of [treatments] by round. A treatment counts if it has two values or more, and all
     * are positive.
     */
    public fun ratios(treatments: List<Map<Int, Double>>): Map<Int, Double> {
        val shares = treatments.filter { it.size > 1 && it.values.all { value -> value > 0 } }.map { values ->
            val middle = median(values.values.toDoubleArray())
            values.mapValues { (_, value) -> value / middle }
        }
        val rounds = shares.flatMap { it.keys }.toSortedSet()
        return rounds.associateWith { round -> median(shares.mapNotNull { it[round] }.toDoubleArray()) }
    }

    /**
     * The rounds of each stretch that is more than 3 % slower than the stretch of the median round, with its ratio to that one. None are
     * named of fewer than [FEWEST] rounds.
     *
     * The penalty is `6 ln n`, and a stretch may be a single round. Of 2,000 simulated runs without a change 6 % had a change point if they
     * had 8 rounds, 4 % of 12 rounds, and 2 % of 20 rounds.
     */
    public fun of(ratios: Map<Int, Double>): Map<Int, Double> {
        if (ratios.size < FEWEST) return emptyMap()
        val (rounds, values) = ratios.toSortedMap().toList().unzip()
        val logs = DoubleArray(values.size) { ln(values[it]) }
        val points = ChangePoints.of(logs, Cost.MEAN, penalty = CAUTION * ln(logs.size.toDouble()), shortest = 1)
        val levels = (listOf(0) + points).zip(points + logs.size).flatMap { (start, end) ->
            List(end - start) { logs.copyOfRange(start, end).average() }
        }
        val usual = levels.sorted()[(levels.size - 1) / 2]
        return rounds.zip(levels.map { exp(it - usual) }).filter { (_, ratio) -> ratio > 1 + MOVES }.toMap()
    }

    /** With fewer rounds the noise between them cannot be told. */
    public const val FEWEST: Int = 6
    private const val CAUTION = 6
    private const val MOVES = 0.03
}
