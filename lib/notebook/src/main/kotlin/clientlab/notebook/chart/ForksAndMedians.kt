package clientlab.notebook.chart

/**
 * A row of a figure for each value of [row]: its [forks] as dots, and, where there are any, its [medians] as points with their intervals
 * (columns `low` and `high`) and [text] to the right of them.
 *
 * Of all columns [value] is the measured one; the words stand at the end of the interval, which would be written over them else.
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
