package clientlab.notebook.chart

import clientlab.*
import clientlab.notebook.frame.*

/** The column of a mark's data that names the trial of each row; it is not drawn, and goes into the figure's data part. */
public const val TRIAL: String = "trial"

/** The one trial behind a dot: its run, its round (from 0) and its treatment. */
public data class TrialRef(val run: String, val round: Int, val treatment: Treatment)

/**
 * A row of chart data for each counted trial that has [metric]: what [cells] makes of its number, and the reference to the trial.
 *
 * ```
 * val dots = groups.flatMap { group -> group.dots("durationMs") { mapOf("client" to group.client, "value" to it / 1000) } }
 * ```
 */
public fun TreatmentTrials.dots(metric: String, cells: (value: Double) -> Map<String, Any?>): List<Map<String, Any?>> =
    counted.mapNotNull { row -> row.metric(metric)?.let { cells(it) + (TRIAL to TrialRef(row.run, row.round, treatment)) } }

/**
 * The same for each of [values], which were computed of the counted trials in their order; without references where they are not as many,
 * because some trial has no value.
 */
public fun TreatmentTrials.dots(values: List<Double>, cells: (value: Double) -> Map<String, Any?>): List<Map<String, Any?>> {
    if (values.size != counted.size) return values.map(cells)
    return values.zip(counted) { value, row -> cells(value) + (TRIAL to TrialRef(row.run, row.round, treatment)) }
}
