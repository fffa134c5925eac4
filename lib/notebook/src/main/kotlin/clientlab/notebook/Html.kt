package clientlab.notebook

/** Plain HTML that shows in an untrusted notebook and offline: no script, no style sheet from elsewhere. */
internal object Html {
    fun escape(text: String): String = text
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")

    /** A table; columns of numbers are set to the right. */
    fun table(header: List<String>, rows: List<List<String>>, right: Set<Int>, more: String? = null): String =
        buildString {
            append("<table>\n<thead><tr>")
            header.forEachIndexed { column, name -> append("<th style=\"${align(column in right)}\">${escape(name)}</th>") }
            append("</tr></thead>\n<tbody>\n")
            rows.forEach { row ->
                append("<tr>")
                row.forEachIndexed { column, cell -> append("<td style=\"${align(column in right)}\">${escape(cell)}</td>") }
                append("</tr>\n")
            }
            append("</tbody>\n</table>")
            if (more != null) append("\n<p>${escape(more)}</p>")
        }

    private fun align(right: Boolean) = if (right) "text-align:right;font-variant-numeric:tabular-nums" else "text-align:left"
}
