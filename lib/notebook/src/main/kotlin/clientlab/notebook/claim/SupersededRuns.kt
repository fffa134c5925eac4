package clientlab.notebook.claim

import clientlab.notebook.frame.*
import clientlab.notebook.home.*
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame
import kotlin.io.path.exists
import kotlin.io.path.readText

/**
 * A published run that a later one stands in for: a record in `data/published/superseded.json`. The run stays published, and nothing of it
 * changes.
 *
 * @property run and [by] the names of their folders.
 * @property on the day on which it was superseded.
 * @property because why, as far as it was written down.
 */
@Serializable
public data class SupersededRun(val run: String, val by: String, val on: String, val because: String) {
    /** The run that stands in for it today, which no other run supersedes. */
    internal fun today(records: List<SupersededRun>): String =
        generateSequence(this) { record -> records.firstOrNull { it.run == record.by } }.last().by

    public companion object {
        /** Every record, in the order in which they were written. */
        public fun all(): List<SupersededRun> =
            LabHome.allPublished
                .map {
                    it.resolve(
                        "superseded.json",
                    )
                }.filter { it.exists() }
                .flatMap { Json.decodeFromString<List<SupersededRun>>(it.readText()) }
    }
}

/**
 * Every superseded run, a row for each claim that rests on the run that stands in for it today: the verdict that the superseded run would
 * give, and the verdict in force. A run on which no claim rests has a row without a claim.
 */
public fun supersededRuns(): AnyFrame {
    val records = SupersededRun.all()
    val rows = records.flatMap { record ->
        val today = record.today(records)
        Claims.all.filter { today in it.evidence }.ifEmpty { listOf(null) }.map { claim -> Then(record, today, claim) }
    }
    return rows.toDataFrame {
        "run" from { it.record.run }
        "supersededBy" from { it.record.by }
        "on" from { it.record.on }
        "because" from { it.record.because }
        "claim" from { it.claim?.id.orEmpty() }
        "verdictOfThatRun" from { it.then() }
        "verdictInForce" from { row -> row.claim?.heldAgainst(null)?.outcome?.toString().orEmpty() }
    }
}

/** A [claim] that rests on [today], and what the superseded run of [record] says of it. */
private class Then(val record: SupersededRun, private val today: String, val claim: Claim?) {
    fun then(): String {
        val runs = claim?.evidence?.map { if (it == today) record.run else it } ?: return ""
        return claim.heldAgainst(evidence(runs)).outcome.toString()
    }
}
