package clientlab.notebook.output

import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.*
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldNotContain
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.emptyDataFrame
import org.jetbrains.kotlinx.dataframe.api.toColumn
import org.junit.jupiter.api.Test

class FrameOutputTest {
    private fun AnyFrame.html() = shownAs("text/html")

    private fun AnyFrame.text() = shownAs("text/plain")

    private val small =
        dataFrameOf(
            listOf("fuel", "<cio>").toColumn("client"),
            listOf<Int?>(5, null).toColumn("n"),
            listOf(1.046, 12345.6).toColumn("timeMs"),
            listOf("52.1 [50.3, 54.1]", "1 [1, 1]").toColumn("estimate"),
            listOf<String?>(null, null).toColumn("nothing"),
        )

    @Test
    fun `the text is a table with its columns padded, numbers and intervals to the right`() {
        small.text().lines() shouldBe
            listOf(
                "client  n  timeMs           estimate  nothing",
                "------  -  ------  -----------------  -------",
                "fuel    5    1.05  52.1 [50.3, 54.1]",
                "<cio>      12,346           1 [1, 1]",
            )
    }

    @Test
    fun `the page aligns numbers and intervals to the right and words to the left`() {
        val html = small.html()
        listOf("n", "timeMs", "estimate").forEach { html shouldContain "text-align:right;font-variant-numeric:tabular-nums\">$it</th>" }
        listOf("client", "nothing").forEach { html shouldContain "text-align:left\">$it</th>" }
    }

    @Test
    fun `cells are escaped in the page and left alone in the text`() {
        small.html() shouldContain "&lt;cio&gt;"
        small.html() shouldNotContain "<cio>"
        small.text() shouldContain "<cio>"
    }

    @Test
    fun `of a long frame the first 60 rows are shown, and the whole size is said`() {
        val long = dataFrameOf((1..61).toList().toColumn("row"))
        long.html() shouldContain "<p>The first 60 of 61 rows, 1 columns.</p>"
        long.text().lines().last() shouldBe "The first 60 of 61 rows, 1 columns."
        long.text().lines() shouldContain " 60"
        long.text() shouldNotContain "61\n"
    }

    @Test
    fun `a frame of 60 rows is shown whole, without a word`() {
        val whole = dataFrameOf((1..60).toList().toColumn("row"))
        whole.html() shouldNotContain "The first"
        whole.html() shouldEndWith "</table>"
    }

    @Test
    fun `a wide cell is cut in the text and whole in the page`() {
        val wide = dataFrameOf(listOf("a".repeat(80)).toColumn("words"))
        wide.text().lines().last() shouldBe "a".repeat(59) + "…"
        wide.html() shouldContain "a".repeat(80)
    }

    @Test
    fun `a nested table is told by its size`() {
        dataFrameOf(listOf(small, small).toColumn("threads")).text().lines().last().trim() shouldBe "2 rows"
    }

    @Test
    fun `a frame without rows is its head`() {
        dataFrameOf(emptyList<String>().toColumn("client")).text().lines() shouldBe listOf("client", "------")
        emptyDataFrame<Any>().html() shouldContain "<table>"
    }

    @Test
    fun `what is shown asks nothing of the network and loads no script`() {
        val trials = MadeTrials.frame(MadeTrials.trial("fuel"), MadeTrials.trial("retrofit"))
        val shown =
            listOf(trials.html(), trials.summary().html(), trials.notes().html(), small.html(), verdict(MadeClaims.blocking, trials).html())
        shown.forEach { html ->
            listOf("http://", "https://", "//cdn", "<script", "<link", "@import", "src=", "onload").forEach {
                html shouldNotContain
                    it
            }
        }
    }
}
