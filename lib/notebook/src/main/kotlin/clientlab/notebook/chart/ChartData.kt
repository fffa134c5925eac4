package clientlab.notebook.chart

/**
 * A small table of named columns, equally long, of numbers, strings and nulls: the data of a mark. A mark leaves out a row if a number that
 * it needs is null or not finite.
 */
public data class ChartData(val columns: Map<String, List<Any?>>) {
    init {
        val lengths = columns.mapValues { it.value.size }
        require(lengths.values.distinct().size <= 1) {
            "The columns of chart data must be equally long, but are ${lengths.entries.joinToString { "${it.key}: ${it.value}" }}."
        }
    }

    /** How many rows there are. */
    public val size: Int get() = columns.values.firstOrNull()?.size ?: 0

    /** The column [name]; fails with a sentence that lists the columns if there is none. */
    public operator fun get(name: String): List<Any?> =
        requireNotNull(columns[name]) { "There is no column '$name' in the chart's data; there are ${columns.keys.sorted()}." }

    /** The same table with the rows for which [keep] is true. */
    public fun filter(keep: (row: Int) -> Boolean): ChartData {
        val rows = (0 until size).filter(keep)
        return ChartData(columns.mapValues { (_, values) -> rows.map { values[it] } })
    }

    public companion object {
        public fun of(vararg columns: Pair<String, List<Any?>>): ChartData = ChartData(mapOf(*columns))

        /** A table of rows. A row has null for a key that it lacks. */
        public fun ofRows(rows: List<Map<String, Any?>>): ChartData {
            val names = rows.flatMapTo(LinkedHashSet()) { it.keys }
            return ChartData(names.associateWith { name -> rows.map { it[name] } })
        }
    }
}

/** The number in a cell, or null if it has none that can be drawn. */
internal fun Any?.asNumber(): Double? = (this as? Number)?.toDouble()?.takeIf { it.isFinite() }
