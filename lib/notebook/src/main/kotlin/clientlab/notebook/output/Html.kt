package clientlab.notebook.output

/**
 * Plain HTML that an untrusted notebook shows, offline too: it loads no style sheet and no script.
 *
 * A table can be sorted if the page may run an attribute's code. An untrusted notebook drops the attribute.
 */
public object Html {
    public fun escape(text: String): String = text
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")

    /** A table; columns of numbers are set to the right, and a column's head sorts by it, if [sorts]. */
    internal fun table(
        header: List<String>,
        rows: List<List<String>>,
        right: Set<Int>,
        more: String? = null,
        sorts: Boolean = rows.size > 1,
    ): String =
        buildString {
            append("<table>\n<thead${if (sorts) SORTING else ""}><tr>")
            val role = if (sorts) " tabindex=\"0\" title=\"Sort by this column\"" else ""
            header.forEachIndexed { column, name -> append("<th$role style=\"${align(column in right)}\">${escape(name)}</th>") }
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

    /**
     * A click on a head, or Enter there, sorts by its column: by number if two cells begin with one, otherwise by text. A second click
     * reverses the order.
     */
    private val SORTING = escape(
        """
        var h=event.target.closest('th');
        if(h&&(event.type=='click'||event.key=='Enter')){
          var b=this.parentNode.tBodies[0],i=h.cellIndex,up=h.getAttribute('aria-sort')!='ascending';
          var v=function(r){var s=r.cells[i].textContent.trim(),n=parseFloat(s.replace(/,/g,''));return isNaN(n)?s:n};
          Array.from(b.rows).sort(function(x,y){
            var p=v(x),q=v(y),c=typeof p=='number'&&typeof q=='number'?p-q:String(p).localeCompare(String(q));return up?c:-c
          }).forEach(function(r){b.appendChild(r)});
          Array.from(this.rows[0].cells).forEach(function(c){c.removeAttribute('aria-sort')});
          h.setAttribute('aria-sort',up?'ascending':'descending')
        }
        """.trimIndent().replace(Regex("\\n *"), ""),
    ).let { " onclick=\"$it\" onkeydown=\"this.onclick(event)\"" }
}
