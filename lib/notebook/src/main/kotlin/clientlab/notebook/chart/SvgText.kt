package clientlab.notebook.chart

import clientlab.notebook.output.*

/**
 * Finishes the SVG that Lets-Plot wrote, in one pass over its text.
 *
 * Ids, which the engine draws at random, become stable. The names of an axis, which it cuts after 20 characters whatever room there is,
 * are whole again. The marks of [PanelOrder] go. Title and text alternative come in.
 */
internal object SvgText {
    private val ID = Regex("\\bid=\"([^\"]+)\"")
    private val ROOT = Regex("<svg\\b[^>]*>")
    private const val PLACEHOLDER = "figure-id"

    /** The SVG with stable ids, `role="img"`, and [title] and [alt] as its accessible name and description. */
    fun finish(raw: String, drawing: Drawing, title: String, alt: String): String {
        val text = mended(raw, drawing)
        val root = checkNotNull(ROOT.find(text)) { "The renderer wrote no SVG." }
        // Several figures share a page, so their ids must differ.
        val key = DataPart.digest(text + title + alt)
        val (width, height) = listOf("width", "height").map { checkNotNull(Regex("\\b$it=\"([0-9.]+)").find(root.value)).groupValues[1] }
        // With a view box a narrow page can scale the drawing down. Without one it would cut the drawing off.
        val head = root.value.removeSuffix(">") +
            " viewBox=\"0 0 $width $height\" style=\"max-width: 100%; height: auto\"" +
            " role=\"img\" aria-labelledby=\"t$key\" aria-describedby=\"d$key\">" +
            "<title id=\"t$key\">${escape(title)}</title><desc id=\"d$key\">${escape(alt)}</desc>"
        return text.replaceRange(root.range, head).replace(PLACEHOLDER, "f$key")
    }

    private fun mended(raw: String, drawing: Drawing): String {
        val declared = ID.findAll(raw).map { it.groupValues[1] }.toSet()
        val ids = declared.withIndex().associate { (place, id) -> id to "$PLACEHOLDER-$place" }
        val names = AxisText(drawing)
        // An id could look like a colour (# and three or six hexadecimal digits), so only whole ids that are declared here are replaced.
        val anyId = "(?<=id=\"|#)(?:${declared.joinToString("|") { Regex.escape(it) }})(?=[\"\\s){.,>:'])".takeIf { ids.isNotEmpty() }
        val parts = listOfNotNull(PanelOrder.MARK, AxisText.PATTERN, anyId)
        return Regex(parts.joinToString("|")).replace(raw) { found -> ids[found.value] ?: names.whole(PanelOrder.strip(found.value)) }
    }

    fun escape(text: String): String = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
}

/** Knows the whole names of the axes of [drawing]: Lets-Plot cuts them after 20 characters, whatever room there is. */
internal class AxisText(drawing: Drawing) {
    private val known = (drawing.x.labels.orEmpty() + drawing.y.labels.orEmpty())
        .filter { it.length > LONGEST }
        .groupBy { SvgText.escape(cut(it)) }
    private val seen = HashMap<String, Int>()

    /** [text] of the drawing with the name in full if it is one that was cut, else as it is; to be asked in the order of the drawing. */
    fun whole(text: String): String {
        val words = text.trimStart()
        val names = known[words] ?: return text
        // Names with the same beginning are distinguished by their order, which is the axis's order in every panel.
        return text.removeSuffix(words) + SvgText.escape(names[(seen.merge(words, 1, Int::plus)!! - 1) % names.size])
    }

    companion object {
        private const val LONGEST = 20

        /** What a cut name looks like in the drawing: words that end in two points, between two tags. */
        const val PATTERN: String = "(?<=>)\\s*[^<>]*\\.\\.(?=\\s*<)"

        /** How many pixels the whole [names] of a vertical axis are wider than the cut ones. */
        fun overhang(names: List<String>): Int = (Style.widthOf(names) - Style.widthOf(names.map(::cut))).toInt()

        private fun cut(name: String) = if (name.length > LONGEST) name.take(LONGEST) + ".." else name
    }
}
