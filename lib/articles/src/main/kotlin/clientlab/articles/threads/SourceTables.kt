package clientlab.articles.threads

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/**
 * The two tables of source 000 (M. Moskała, *How many threads your network client uses?*, 2024), each row beside ours.
 *
 * The source waited 2 s for each answer; times are therefore shown in delays, theirs and ours.
 */
public fun Trials<Burst>.besideSource(inFlight: Int): AnyFrame {
    val source = TABLES[inFlight]
        ?: throw LabException("Source 000 has no table for $inFlight in flight; it has ${TABLES.keys.joinToString(" and ")}.")
    val ours = byTreatment().filter { it.inFlight == inFlight && it.start == "warm" }.distinctBy { it.client }.associateBy { it.client }

    fun median(client: String, metric: String) = ours[client]?.median(metric)?.toString() ?: "not measured"

    fun inDelays(client: String): String {
        val delay = ours[client]?.counted?.firstOrNull()?.metric("delayMs") ?: return "not measured"
        return Estimate.rounded(ours.getValue(client).median("durationMs").value / delay)
    }
    return source
        .toDataFrame {
            "client" from { it.client }
            "sourceThreads" from { it.threads }
            "ourThreadsBySameRule" from { median(it.client, "activeUnparkedNew") }
            "ourThreadsBlocked" from { median(it.client, "threadsBlocked") }
            "sourceTimeInDelays" from { Estimate.rounded(it.seconds / SOURCE_DELAY) }
            "ourTimeInDelays" from { inDelays(it.client) }
        }.from(this)
}

private class SourceRow(val client: String, val threads: Int, val seconds: Double)

private const val SOURCE_DELAY = 2.0

/** The figures as published, by the number in flight; its CIO is the one that leaves the route limit closed. */
private val TABLES: Map<Int, List<SourceRow>> by lazy {
    SourceRow::class.java.sourceFigures("source-000.csv").groupBy({ it.getValue("inFlight").toInt() }) {
        SourceRow(it.getValue("client"), it.getValue("threads").toInt(), it.getValue("seconds").toDouble())
    }
}
