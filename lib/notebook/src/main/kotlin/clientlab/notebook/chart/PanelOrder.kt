package clientlab.notebook.chart

/**
 * Keeps panels in the given order: Lets-Plot and Kandy sort them alphabetically (or not at all), so every title begins with its number,
 * written with two characters of zero width, which are removed from the drawing.
 */
public object PanelOrder {
    private const val ZERO = '\u200b'
    private const val ONE = '\u200c'

    /** A mark as it stands in a drawing. */
    internal const val MARK: String = "[$ZERO$ONE]|&#x200[bBcC];|&#820[34];"
    private val MARKS = Regex(MARK)

    /** The prefix of the title of panel [number] of [count]. */
    internal fun mark(number: Int, count: Int): String {
        val digits = Integer.SIZE - Integer.numberOfLeadingZeros(maxOf(1, count - 1))
        return (digits - 1 downTo 0).joinToString("") { (if (number shr it and 1 == 0) ZERO else ONE).toString() }
    }

    /** [text] without the marks. */
    public fun strip(text: String): String = MARKS.replace(text, "")
}
