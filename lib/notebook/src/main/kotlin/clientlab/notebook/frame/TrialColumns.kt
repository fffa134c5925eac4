package clientlab.notebook.frame

import org.jetbrains.kotlinx.dataframe.ColumnsContainer
import org.jetbrains.kotlinx.dataframe.DataColumn
import org.jetbrains.kotlinx.dataframe.DataRow

// The columns that a reader filters and groups by, by name: trials.filter { client == "ktor-cio" && inFlight == 500 }.

/** The id of the run. */
public val ColumnsContainer<TrialRow<*>>.run: DataColumn<String> get() = column("run")
public val DataRow<TrialRow<*>>.run: String get() = cell("run")

/** The number of the round, from 0. */
public val ColumnsContainer<TrialRow<*>>.round: DataColumn<Int> get() = column("round")
public val DataRow<TrialRow<*>>.round: Int get() = cell("round")

/** The id of the client. */
public val ColumnsContainer<TrialRow<*>>.client: DataColumn<String> get() = column("client")
public val DataRow<TrialRow<*>>.client: String get() = cell("client")

/** How many requests were sent at once. */
public val ColumnsContainer<TrialRow<*>>.inFlight: DataColumn<Int> get() = column("inFlight")
public val DataRow<TrialRow<*>>.inFlight: Int get() = cell("inFlight")

/** `complete`, `wave` or `invalid`. */
public val ColumnsContainer<TrialRow<*>>.outcome: DataColumn<String> get() = column("outcome")
public val DataRow<TrialRow<*>>.outcome: String get() = cell("outcome")

/** From the first request sent to the last body read, in milliseconds. */
public val ColumnsContainer<TrialRow<*>>.durationMs: DataColumn<Double?> get() = column("durationMs")
public val DataRow<TrialRow<*>>.durationMs: Double? get() = metric("durationMs")

/** Platform threads, new since the baseline, that were each held by one request at the snapshot. */
public val ColumnsContainer<TrialRow<*>>.threadsBlocked: DataColumn<Double?> get() = column("threadsBlocked")
public val DataRow<TrialRow<*>>.threadsBlocked: Double? get() = metric("threadsBlocked")

/** Platform threads, new since the baseline, at the snapshot. */
public val ColumnsContainer<TrialRow<*>>.threadsNew: DataColumn<Double?> get() = column("threadsNew")
public val DataRow<TrialRow<*>>.threadsNew: Double? get() = metric("threadsNew")

/** The count that source 000 reports: new threads that are not parked. */
public val ColumnsContainer<TrialRow<*>>.activeUnparkedNew: DataColumn<Double?> get() = column("activeUnparkedNew")
public val DataRow<TrialRow<*>>.activeUnparkedNew: Double? get() = metric("activeUnparkedNew")

/** The metric [name] of this trial, or null if the trial lacks it. */
public fun DataRow<TrialRow<*>>.metric(name: String): Double? = if (name in
    df().columnNames()
) {
    (this[name] as Number?)?.toDouble()
} else {
    null
}

@Suppress("UNCHECKED_CAST")
private fun <T> ColumnsContainer<*>.column(name: String): DataColumn<T> = this[name] as DataColumn<T>

@Suppress("UNCHECKED_CAST")
private fun <T> DataRow<*>.cell(name: String): T = this[name] as T
