package clientlab.notebook.chart

import java.security.MessageDigest

/** Makes the SVG that Lets-Plot writes repeatable and readable without eyes. */
internal object SvgText {
    private val ID = Regex("\\bid=\"([^\"]+)\"")
    private val ROOT = Regex("<svg\\b[^>]*>")

    /** The SVG with stable ids, `role="img"`, and [title] and [alt] as its accessible name and description. */
    fun finish(raw: String, title: String, alt: String): String {
        val stable = stableIds(raw)
        val root = checkNotNull(ROOT.find(stable)) { "The renderer wrote no SVG." }
        val key = digest(stable + title + alt)
        // Several figures share a page, so the ids of one must not be those of another.
        val unique = stable.replace(PLACEHOLDER, "f$key")
        val (width, height) = listOf("width", "height").map { checkNotNull(Regex("\\b$it=\"([0-9.]+)").find(root.value)).groupValues[1] }
        // With a view box a narrow page can scale the drawing down; without one it would cut it off.
        val head = root.value.replace(PLACEHOLDER, "f$key").removeSuffix(">") +
            " viewBox=\"0 0 $width $height\" style=\"max-width: 100%; height: auto\"" +
            " role=\"img\" aria-labelledby=\"t$key\" aria-describedby=\"d$key\">"
        val words = "<title id=\"t$key\">${escape(title)}</title><desc id=\"d$key\">${escape(alt)}</desc>"
        val start = ROOT.find(unique)!!.range
        return unique.substring(0, start.first) + head + words + unique.substring(start.last + 1)
    }

    /** Lets-Plot draws ids at random; each becomes its place in the file, in attributes, references and selectors alike. */
    private fun stableIds(raw: String): String {
        val ids = ID
            .findAll(raw)
            .map { it.groupValues[1] }
            .distinct()
            .toList()
        if (ids.isEmpty()) return raw
        val names = ids.withIndex().associate { (place, id) -> id to "$PLACEHOLDER-$place" }
        // A colour is a # and six or three hexadecimal digits, and so could an id be: only whole ids that are declared here are replaced.
        val declared = Regex("(?<=id=\"|#)(${ids.joinToString("|") { Regex.escape(it) }})(?=[\"\\s){.,>:'])")
        return declared.replace(raw) { names.getValue(it.value) }
    }

    private fun digest(text: String): String =
        MessageDigest.getInstance("SHA-256").digest(text.encodeToByteArray()).take(4).joinToString("") {
            "%02x".format(java.util.Locale.ROOT, it)
        }

    private fun escape(text: String): String = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    private const val PLACEHOLDER = "figure-id"
}
