package clientlab.notebook.chart

/** Knows the whole names of the axes of [drawing]: Lets-Plot cuts them after 20 characters, whatever room there is. */
internal class AxisText(drawing: Drawing) {
    private val cut = (drawing.x.labels.orEmpty() + drawing.y.labels.orEmpty())
        .filter { it.length > LONGEST }
        .groupBy { SvgText.escape(it.take(LONGEST)) + CUT }
    private val seen = HashMap<String, Int>()

    /** [text] of the drawing with the name in full if it is one that was cut, else as it is; to be asked in the order of the drawing. */
    fun whole(text: String): String {
        val words = text.trimStart()
        val names = cut[words] ?: return text
        // Names with the same beginning are distinguished by their order, which is the axis's order in every panel.
        return text.removeSuffix(words) + SvgText.escape(names[(seen.merge(words, 1, Int::plus)!! - 1) % names.size])
    }

    companion object {
        private const val LONGEST = 20
        private const val CUT = ".."

        /** What a cut name looks like in the drawing: words that end in two points, between two tags. */
        const val PATTERN: String = "(?<=>)\\s*[^<>]*\\.\\.(?=\\s*<)"

        /** How many pixels the whole [names] of a vertical axis are wider than the cut ones. */
        fun overhang(names: List<String>): Int {
            val cut = names.maxOfOrNull { Style.widthOf(if (it.length > LONGEST) it.take(LONGEST) + CUT else it, Style.TEXT) } ?: 0.0
            return ((names.maxOfOrNull { Style.widthOf(it, Style.TEXT) } ?: 0.0) - cut).toInt()
        }
    }
}
