package clientlab.kandy

import clientlab.articles.threads.*
import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import org.jetbrains.kotlinx.dataframe.api.all
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.toDataFrame
import org.jetbrains.kotlinx.kandy.dsl.internal.dataframe.DataFramePlotBuilder

/**
 * The threads that requests hold, per client: a dot for each trial, and the medians with their intervals, as in [threadChart].
 *
 * ```
 * published<Burst>("threads-2026-11").plot {
 *     threads()
 *     layout { title = "Mine" }
 * }
 * ```
 */
public fun DataFramePlotBuilder<TrialRow<Burst>>.threads(): Unit = layersOf(trials().threadChart())

/** The time for all requests in delays of the server, per client, as in [timeChart]. */
public fun DataFramePlotBuilder<TrialRow<Burst>>.times(): Unit = layersOf(trials().timeChart())

/** The requests in flight over time, of [clients] or of all, as in [inFlightChart]. */
public fun DataFramePlotBuilder<TrialRow<Burst>>.curves(inFlight: Int, vararg clients: String): Unit =
    layersOf(trials().inFlightChart(inFlight, *clients))

/** The layers of any chart in a plot of the reader's own, with its axes, panels and look, and without its words. */
public fun DataFramePlotBuilder<*>.layersOf(chart: Chart): Unit = add(chart.drawing())

private fun DataFramePlotBuilder<TrialRow<Burst>>.trials(): Trials<Burst> = columns { all() }.toDataFrame().cast()
