package clientlab.notebook.output

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class HtmlTest {
    @Test
    fun `what HTML would take for its own is escaped, the ampersand first`() {
        Html.escape("<b a=\"1\">&lt;</b>") shouldBe "&lt;b a=&quot;1&quot;&gt;&amp;lt;&lt;/b&gt;"
    }

    @Test
    fun `heads, cells and the line below are escaped`() {
        val html = Html.table(listOf("<h>"), listOf(listOf("<c>")), emptySet(), more = "<m>")
        html shouldContain "&lt;h&gt;"
        html shouldContain "&lt;c&gt;"
        html shouldContain "<p>&lt;m&gt;</p>"
        html shouldNotContain "<h>"
        html shouldNotContain "<c>"
        html shouldNotContain "<m>"
    }

    @Test
    fun `columns of numbers stand to the right, others to the left`() {
        val html = Html.table(listOf("client", "n"), listOf(listOf("fuel", "5")), right = setOf(1))
        html shouldContain "<th style=\"text-align:left\">client</th>"
        html shouldContain "<td style=\"text-align:left\">fuel</td>"
        html shouldContain "<th style=\"text-align:right;font-variant-numeric:tabular-nums\">n</th>"
        html shouldContain "<td style=\"text-align:right;font-variant-numeric:tabular-nums\">5</td>"
    }

    @Test
    fun `a table of several rows can be sorted, one of a single row has nothing to sort`() {
        Html.table(listOf("n"), listOf(listOf("1"), listOf("2")), emptySet()) shouldContain "<thead onclick="
        Html.table(listOf("n"), listOf(listOf("1")), emptySet()) shouldNotContain "onclick"
    }
}
