package clientlab.notebook.frame

import clientlab.*
import clientlab.machine.*
import clientlab.notebook.journal.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.add
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.toColumn
import java.util.Locale

/** The column that says which rounds [withoutSlowRounds] has left out. */
internal const val LEFT_OUT: String = "leftOut"

/**
 * Whether rounds were slow: one row per round of each run. For each of [metrics] it has the median over treatments of the value in that
 * round, in percent of the treatment's median; without [metrics] for those of duration, median latency and processor time per request
 * that the trials have. `spinPercent` and `echoPercent` are the machine's pace in percent of the median round; null in older runs.
 *
 * `slow` says why: the pace was more than 3 % slower and more than its noise, or the rounds changed together ([SlowRounds]). More must
 * be slower, so a rate is no metric to ask. Fails for an unknown metric.
 */
public fun Trials<*>.slowRounds(vararg metrics: String): AnyFrame {
    metrics.forEach { refuseUnless(it in columnNames()) { "These trials have no metric '$it'; dictionary() lists those there are." } }
    val asked = metrics.toList().ifEmpty { timed() }
    val rows = runs().flatMap { roundsOf(it, asked) }
    return dataFrameOf(
        listOf(rows.map { it.run }.toColumn("run"), rows.map { it.round }.toColumn("round")) +
            asked.map { metric -> rows.map { row -> row.ratios[metric]?.times(PERCENT) }.toColumn("${metric}Percent") } +
            listOf(
                rows.map { it.pace?.spinPercent }.toColumn("spinPercent"),
                rows.map { it.pace?.echoPercent }.toColumn("echoPercent"),
                rows.map { it.slow.joinToString(" ") }.toColumn("slow"),
            ),
    ).from(this)
}

/**
 * These trials without the rounds that [slowRounds] calls slow. A column, captions and origins then say which rounds are left out. Whether
 * to leave them out is decided by the rule for all treatments, never for one.
 */
public fun <W : Workload> Trials<W>.withoutSlowRounds(): Trials<W> {
    val slow = runs().associateWith { slowRoundsOf(it) }
    if (slow.values.all { it.isEmpty() }) return this
    val words = slow.mapValues { (run, rounds) -> if (rounds.isEmpty()) "" else "${named(rounds)} of $run, slow" }
    return filter { row -> row.round !in slow.getValue(row.run) }.add(LEFT_OUT) { words.getValue(it.run) }.cast()
}

/** What [withoutSlowRounds] has left out of these rows of one frame, as in `rounds 9 to 11 of 20261121-033050-e87d, slow`. */
public fun List<DataRow<TrialRow<*>>>.leftOutRounds(): List<String> {
    if (isEmpty() || LEFT_OUT !in first().df().columnNames()) return emptyList()
    return mapNotNull { it[LEFT_OUT] as String? }.distinct().filter { it.isNotEmpty() }
}

/** The slow rounds of [run], ascending. */
internal fun Trials<*>.slowRoundsOf(run: String): List<Int> = roundsOf(run, timed()).filter { it.slow.isNotEmpty() }.map { it.round }

/** A sentence for each run with slow rounds. */
internal fun Trials<*>.slowRoundWarnings(): List<String> = runs().flatMap { run ->
    val slow = roundsOf(run, timed()).filter { it.slow.isNotEmpty() }
    // Rounds of one stretch have the same reasons.
    slow.groupBy { it.slow }.map { (because, rounds) ->
        val which = named(rounds.map { it.round })
        "$which of $run ${if (rounds.size == 1) "was" else "were"} slow: ${because.joinToString(
            " ",
        )} withoutSlowRounds() leaves out slow rounds."
    }
}

/** `round 3`, `rounds 9 to 11` or `rounds 2, 5 to 7, 9`. */
internal fun named(rounds: List<Int>): String {
    if (rounds.isEmpty()) return ""
    val stretches = rounds.sorted().fold(emptyList<IntRange>()) { all, round ->
        if (all.isNotEmpty() &&
            all.last().last == round - 1
        ) {
            all.dropLast(1) + listOf(all.last().first..round)
        } else {
            all + listOf(round..round)
        }
    }
    val words = stretches.map { if (it.first == it.last) "${it.first}" else "${it.first} to ${it.last}" }
    return (if (rounds.size == 1) "round " else "rounds ") + words.joinToString()
}

private class RoundRow(val run: String, val round: Int, val ratios: Map<String, Double>, val pace: RoundPace?, val slow: List<String>)

private fun Trials<*>.roundsOf(run: String, metrics: List<String>): List<RoundRow> {
    val groups = filter { it.run == run }.byTreatment()
    val ratios = metrics.associateWith { metric ->
        SlowRounds.ratios(groups.map { group -> group.counted.mapNotNull { row -> row.metric(metric)?.let { row.round to it } }.toMap() })
    }
    val slow = ratios.mapValues { (_, of) -> SlowRounds.of(of) }
    val paces = RunFolder.find(run)?.manifest?.paces().orEmpty().flatMap { it.rounds }.associateBy { it.round }
    val rounds = groups.flatMap { group -> group.rows.map { it.round } }.distinct().sorted()
    return rounds.map { round ->
        val because = metrics.mapNotNull { metric -> slow.getValue(metric)[round]?.let { sentence(metric, it) } }
        val here = ratios.mapNotNull { (metric, of) -> of[round]?.let { metric to it } }.toMap()
        RoundRow(run, round, here, paces[round], paces[round]?.slow.orEmpty() + because)
    }
}

private fun sentence(metric: String, ratio: Double) =
    "$metric of the median treatment was ${"%.2f".format(Locale.ROOT, ratio)} times as long as in most rounds."

private fun Trials<*>.timed(): List<String> = TIMED.filter { it in columnNames() }

private val TIMED = listOf("durationMs", "latencyP50Ms", "requestCpuMs")
private const val PERCENT = 100
