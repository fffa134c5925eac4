package clientlab.notebook.chart

/**
 * One row of a figure per value of [row]: its [forks] as dots and, if there are any, its [medians] as points with their intervals (columns
 * `low` and `high`) and [text] to their right.
 *
 * [value] is the measured column. The text stands at the end of the interval, because the interval would cover it otherwise.
 */
public fun forksAndMedians(
    forks: ChartData,
    medians: ChartData?,
    row: String,
    value: String = "value",
    color: String = row,
    lane: String? = null,
    text: String? = "text",
): List<Mark> =
    listOf(Points(forks, value, row, color = color, role = PointRole.TRIAL, lane = lane)) +
        medians
            ?.let { middles ->
                listOfNotNull(
                    Intervals(middles, value, row, "low", "high", color = color, lane = lane),
                    Points(middles, value, row, color = color, lane = lane),
                    text?.let { Labels(middles, "high", row, text = it, place = LabelPlace.RIGHT) },
                )
            }.orEmpty()
