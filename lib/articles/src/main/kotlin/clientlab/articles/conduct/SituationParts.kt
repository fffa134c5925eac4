package clientlab.articles.conduct

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import org.jetbrains.kotlinx.dataframe.AnyRow
import org.jetbrains.kotlinx.dataframe.api.columnNames

/** A caller that is free so soon after a time-out of 400 ms is free in time. */
internal const val SOON_MS: Int = 600

/** What one fork saw of a client in one situation. */
internal class Seen(row: AnyRow) {
    val fact: String = row["fact"].toString()
    val ms: Double? = (row["ms"] as Number?)?.toDouble()

    /** Whether the situation could be tried with the client. */
    val tried: Boolean get() = !fact.startsWith("not testable") && !fact.startsWith("not supported")

    val failsSoon: Boolean get() = fact.startsWith("fails") && ms != null && ms <= SOON_MS
}

/**
 * One part per client: the share of forks in which it did what is [right] in [situation]. It has none where all forks say that the situation
 * cannot be tried with it.
 */
internal fun Trials<*>.mostly(situation: String, words: String, right: (Seen) -> Boolean): List<Part> =
    byTreatment().mapNotNull { group ->
        val seen = group.seen(situation)
        if (seen.isNotEmpty() && seen.none { it.tried }) null else part(group.client, seen, words, right)
    }

/** The same for one [client]. */
internal fun Trials<*>.mostly(client: String, situation: String, words: String, right: (Seen) -> Boolean): Part =
    part(client, byTreatment().filter { it.client == client }.flatMap { it.seen(situation) }, words, right)

/** How long [client] took for [situation] in each fork in which it could be tried, in ms. */
internal fun Trials<*>.times(client: String, situation: String): List<Double> =
    byTreatment().filter { it.client == client }.flatMap { it.seen(situation) }.filter { it.tried }.mapNotNull { it.ms }

private fun part(client: String, seen: List<Seen>, words: String, right: (Seen) -> Boolean): Part {
    val tried = seen.filter { it.tried }
    return Part.share(client, "share of forks in which $words", Bound(low = LEAST), tried.count(right), tried.size)
}

private fun TreatmentTrials.seen(situation: String): List<Seen> =
    counted.flatMap { it.observations() }.filter { it["situation"] == situation }.map(::Seen)

/** Trials that are planned and not measured have none. */
private fun AnyTrial.observations(): List<AnyRow> = if (OBSERVATIONS in df().columnNames()) table(OBSERVATIONS) else emptyList()

private const val LEAST = 0.6
private const val OBSERVATIONS = "observations"
