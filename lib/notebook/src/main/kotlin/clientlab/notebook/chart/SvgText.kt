package clientlab.notebook.chart

import java.security.MessageDigest

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
        val key = digest(text + title + alt)
        val (width, height) = listOf("width", "height").map { checkNotNull(Regex("\\b$it=\"([0-9.]+)").find(root.value)).groupValues[1] }
        // With a view box a narrow page can scale the drawing down. Without one it would cut the drawing off.
        val head = root.value.removeSuffix(">") +
            " viewBox=\"0 0 $width $height\" style=\"max-width: 100%; height: auto\"" +
            " role=\"img\" aria-labelledby=\"t$key\" aria-describedby=\"d$key\">" +
            "<title id=\"t$key\">${escape(title)}</title><desc id=\"d$key\">${escape(alt)}</desc>"
        return text.replaceRange(root.range, head).replace(PLACEHOLDER, "f$key")
    }

    /** [raw] with all that is mended in place: marks of panels, names of axes, ids. */
    private fun mended(raw: String, drawing: Drawing): String {
        val ids = ID
            .findAll(raw)
            .map { it.groupValues[1] }
            .distinct()
            .withIndex()
            .associate { (place, id) -> id to "$PLACEHOLDER-$place" }
        val names = AxisText(drawing)
        // An id could look like a colour (# and three or six hexadecimal digits), so only whole ids that are declared here are replaced.
        val declared = ids.keys.joinToString("|") { Regex.escape(it) }
        val parts = listOfNotNull(
            PanelOrder.MARK,
            AxisText.PATTERN,
            "(?<=id=\"|#)(?:$declared)(?=[\"\\s){.,>:'])".takeIf { ids.isNotEmpty() },
        )
        return Regex(parts.joinToString("|")).replace(raw) { found ->
            ids[found.value] ?: names.whole(PanelOrder.strip(found.value))
        }
    }

    private fun digest(text: String): String =
        MessageDigest.getInstance("SHA-256").digest(text.encodeToByteArray()).take(4).joinToString("") {
            "%02x".format(java.util.Locale.ROOT, it)
        }

    fun escape(text: String): String = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
}
