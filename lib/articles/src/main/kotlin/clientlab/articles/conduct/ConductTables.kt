package clientlab.articles.conduct

import clientlab.*
import clientlab.articles.*
import clientlab.conduct.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/**
 * What one client did in one situation, over forks.
 *
 * @property facts each fact with the number of forks in which it was seen.
 * @property ms how long it took in each fork, where a time says something.
 * @property concerns why it is a concern; empty if it is none.
 */
public data class Conducted(
    val client: String,
    val situation: String,
    val facts: Map<String, Int>,
    val ms: List<Double>,
    val concerns: List<String>,
) {
    val n: Int get() = facts.values.sum()

    /** Whether forks saw different things. */
    val varies: Boolean get() = facts.size > 1

    /** The fact, or that it varies and between what. */
    val fact: String get() = said(facts)

    /** The same without the names of exceptions and the words of a refusal, which differ where nothing else does. */
    val briefly: String
        get() = said(facts.entries.groupBy({ brief(it.key) }, { it.value }).mapValues { (_, times) -> times.sum() })

    private fun brief(fact: String) = if (fact.startsWith(NOT_SUPPORTED)) NOT_SUPPORTED else fact.replace(EXCEPTION, "")

    private fun said(facts: Map<String, Int>): String =
        facts.keys.singleOrNull()
            ?: facts.entries.sortedByDescending { it.value }.joinToString("; ", "varies: ") { (fact, times) -> "$fact ($times of $n)" }

    /** Why it is a concern, as the first fork that has one says it. Others may differ in a number. */
    val concern: String get() = concerns.firstOrNull().orEmpty()

    /** The time in the middle, or null. */
    val medianMs: Double? get() = if (ms.isEmpty()) null else Bootstrap.median(ms).value

    private companion object {
        const val NOT_SUPPORTED = "not supported"
        val EXCEPTION = Regex(""" \([A-Z]\w*\)""")
    }
}

/** What each client did in each situation: client by client, in the order of the situations. No invalid trial counts. */
public fun Trials<Conduct>.conducted(): List<Conducted> =
    byTreatment().flatMap { group ->
        val rows = group.counted.flatMap { trial -> trial.table("observations") }
        rows.groupBy { it["situation"].toString() }.map { (situation, same) ->
            Conducted(
                client = group.client,
                situation = situation,
                facts = same.groupingBy { it["fact"].toString() }.eachCount(),
                ms = same.mapNotNull { (it["ms"] as Number?)?.toDouble() },
                concerns = same.map { it["concern"].toString() }.filter { it.isNotEmpty() }.distinct(),
            )
        }
    }

/** One row for each client and situation, worst first: what is a concern, then what varies, then the rest. */
public fun Trials<Conduct>.facts(): AnyFrame =
    conducted()
        .sortedBy {
            if (it.concerns.isNotEmpty()) {
                0
            } else if (it.varies) {
                1
            } else {
                2
            }
        }.toDataFrame {
            "client" from { it.client }
            "situation" from { it.situation }
            "fact" from { it.fact }
            "ms" from { it.medianMs?.let(Estimate::rounded).orEmpty() }
            "n" from { it.n }
            "concern" from { it.concern }
        }.from(this)

/** One row for each situation and a column for each client: what each did. A fact that is a concern ends with an exclamation mark. */
public fun Trials<Conduct>.factsByClient(): AnyFrame {
    val all = conducted()
    val situations = all.map { it.situation }.distinct()
    val columns = all.groupBy { it.client }.map { (client, facts) ->
        val of = facts.associateBy { it.situation }
        situations.map { name -> of[name]?.let { if (it.concerns.isEmpty()) it.fact else "${it.fact} !" }.orEmpty() }.toColumn(client)
    }
    return dataFrameOf(listOf(situations.toColumn("situation")) + columns).from(this)
}

/**
 * What was done in [situation]: one row for each fact, with the clients that did it, the most common one first. Which exception a client
 * throws, and in which words it refuses, makes no fact of its own here.
 */
public fun Trials<Conduct>.byFact(situation: String): AnyFrame {
    val all = conducted()
    val same = all.filter { it.situation == situation }
    refuseUnless(same.isNotEmpty()) {
        "Nothing here was observed in '$situation': give one of ${all.map { it.situation }.distinct().joinToString()}."
    }
    return same
        .groupBy { it.briefly }
        .toList()
        .sortedByDescending { it.second.size }
        .toDataFrame {
            "fact" from { it.first }
            "number" from { it.second.size }
            "clients" from { (_, of) -> of.joinToString { it.client } }
            "concern" from { (_, of) -> of.map { it.concern }.filter { it.isNotEmpty() }.distinct().joinToString(" ") }
        }.from(this)
}

/**
 * What happened between [client] and its server in [situation], in the order of time, with a column for each that took part. It shows the
 * first fork that saw what most forks saw. What the client did is what the server saw of it.
 */
public fun Trials<Conduct>.story(client: String, situation: String): AnyFrame {
    val fact = conducted().find { it.client == client && it.situation == situation }?.facts?.maxBy { it.value }?.key
    refuseUnless(fact != null) { "Nothing here was observed of '$client' in '$situation': `conducted()` has what was." }
    val fork = byTreatment()
        .first { it.client == client }
        .counted
        .flatMap { it.table("observations") }
        .first { it["situation"] == situation && it["fact"] == fact }
    refuseUnless("events" in fork.df().columnNames()) {
        "These trials are from before events were kept: run it here, as in conductExperiment(clients(\"$client\"), listOf(\"$situation\"))."
    }
    val events = (fork["events"] as AnyFrame).rows().toList()

    fun by(who: String) = events.map { if (it["who"] == who) it["what"].toString() else "" }.toColumn(who)
    return dataFrameOf(listOf(events.map { it["ms"] as Double }.toColumn("ms")) + listOf("caller", "client", "server").map(::by)).from(this)
}
