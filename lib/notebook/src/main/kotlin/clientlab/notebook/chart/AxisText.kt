package clientlab.notebook.chart

/** Undoes what Lets-Plot does to long names on an axis: it cuts them after 20 characters, whatever room there is. */
internal object AxisText {
    private const val LONGEST = 20
    private const val CUT = ".."

    /** [svg] with the names of its axes in full. */
    fun whole(svg: String, drawing: Drawing): String {
        val cut = labels(drawing).groupBy { escape(it.take(LONGEST)) + CUT }
        if (cut.isEmpty()) return svg
        val seen = HashMap<String, Int>()
        // Names that share their beginning are told apart by their order, which is that of the axis in every panel.
        return Regex("(?<=>)(\\s*)([^<>]*${Regex.escape(CUT)})(?=\\s*<)").replace(svg) { match ->
            val (space, text) = match.destructured
            val names = cut[text] ?: return@replace match.value
            space + escape(names[(seen.merge(text, 1, Int::plus)!! - 1) % names.size])
        }
    }

    /** How many pixels the whole names of the vertical axis are wider than the cut ones. */
    fun overhang(drawing: Drawing): Int {
        val names = drawing.y.labels.orEmpty()
        val cut = names.maxOfOrNull { Style.widthOf(if (it.length > LONGEST) it.take(LONGEST) + CUT else it, Style.TEXT) } ?: 0.0
        return ((names.maxOfOrNull { Style.widthOf(it, Style.TEXT) } ?: 0.0) - cut).toInt()
    }

    private fun labels(drawing: Drawing): List<String> = (drawing.x.labels.orEmpty() + drawing.y.labels.orEmpty()).filter {
        it.length >
            LONGEST
    }

    private fun escape(text: String): String = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
}
