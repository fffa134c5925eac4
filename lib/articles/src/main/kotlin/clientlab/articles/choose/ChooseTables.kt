package clientlab.articles.choose

import clientlab.*
import clientlab.audit.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame
import java.math.BigDecimal
import java.math.MathContext

/**
 * Which client for which use: one row per use, with the clients that no other one is surely better than, the last one with how many times as
 * much it takes as the best, and what to do about it. [advise] has all clients of one use, and the run that decides it.
 */
public fun choose(): AnyFrame =
    useCases
        .map { it.ranking }
        .toDataFrame {
            "use" from { it.use.id }
            "need" from { it.use.need }
            "first" from { ranking -> ranking.first.joinToString { it.client } }
            "last" from
                { ranking -> ranking.times(ranking.last)?.let { "${ranking.last.client}, ${it.words()} times" } ?: ranking.last.client }
            "advice" from { it.use.advice }
        }

private fun Double.words() = toBigDecimal().stripTrailingZeros().toPlainString()

/**
 * All clients that were compared for [use], the best one first: its place, what was measured with its 95 % interval, and how many times as
 * much it takes as the best. A place is one more than the number of clients whose whole interval is better, and never better than that of
 * the row above. A client with fewer than five forks that count has no place: a fork that never got steady does not count. Fails for a use
 * that is not in [choose].
 */
public fun advise(use: String): AnyFrame {
    val found = useCases.find { it.id == use }
        ?: throw LabException("There is no use '$use': give one of ${useCases.joinToString { it.id }}.")
    val ranking = found.ranking
    val rows = ranking.clients.map { Row("${it.place}", it.client, it.estimate, ranking.times(it)) } +
        ranking.undecided.map { (client, estimate) -> Row("not decided", client, estimate, null) }
    return rows
        .toDataFrame {
            "place" from { it.place }
            "client" from { it.client }
            found.column from { it.estimate.toString() }
            "timesTheBest" from { it.times }
            "n" from { it.estimate.n }
        }.from(ranking.origin)
}

private class Row(val place: String, val client: String, val estimate: Estimate, val times: Double?)

/**
 * The limit of each client by default: one row per client, with the most calls that it has under way to one host, how many seconds a
 * hundred calls of one second take then, the most of a client whose limits are raised, and the settings that raise them.
 */
public fun defaults(): AnyFrame {
    val found = published<Audit>("audit-2026-11")
    val opened = published<Audit>("audit-opened-2026-11")
    val most = opened.toOneHost().associate { it.client to it.median(HELD) }
    return found
        .toOneHost()
        .toDataFrame {
            "client" from { ClientInfo.unversioned(it.client).substringBefore('@') }
            "atOnceByDefault" from { it.median(HELD).value.toInt() }
            "secondsForAHundredCalls" from { group -> waves(group.median(HELD).value) }
            "atOnceOpened" from { group -> most[group.client.substringBefore('@')]?.value?.toInt()?.toString() ?: "not asked" }
            "settings" from { clientOrNull(it.client.substringBefore('@'))?.settings.orEmpty() }
        }.from(found, opened)
}

private fun Trials<Audit>.toOneHost() = counted().filter { (it.number(Factor.HOSTS) ?: 1L) == 1L }

/** A hundred calls of a second each, so many at a time. */
private fun waves(atOnce: Double): Int = Math.ceilDiv(CALLS, atOnce.toInt().coerceIn(1, CALLS))

/** With as many digits as a reader needs; null where values have no ratio. */
private fun Ranking.times(
    of: Ranked,
): Double? = if (use.hasRatio) BigDecimal(of.timesTheBest).round(MathContext(DIGITS)).toDouble() else null

private const val HELD = "heldInFlight"
private const val CALLS = 100
private const val DIGITS = 3
