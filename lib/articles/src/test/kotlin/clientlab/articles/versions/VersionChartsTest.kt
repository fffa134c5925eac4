package clientlab.articles.versions

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.made.MadeTrials.forks
import clientlab.notebook.made.MadeTrials.frame
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test

class VersionChartsTest {
    private fun burst(client: String, waves: Double, threads: Double) =
        forks(client, 500, outcome = if (waves > 1) Outcome.Wave else Outcome.Complete) { _, _ ->
            mapOf("batches" to waves, "threadsLive" to threads)
        }.toTypedArray()

    private val trials =
        frame(
            *burst("ktor-cio:3.10.0", 1.0, 60.0),
            *burst("ktor-cio:3.9.0", 1.0, 90.0),
            *burst("ktor-cio@article:2.3.12", 5.0, 90.0),
            *burst("ktor-cio@article:3.9.0", 5.0, 90.0),
        )

    @Test
    fun `the title says how many threads each client has, whatever its version`() {
        trials.threadsByVersionChart().title shouldBe "ktor-cio has 60 to 90 threads; ktor-cio@article has 90 threads"
    }

    @Test
    fun `a row is a version, the oldest first, and its words have every number`() {
        val chart = trials.threadsByVersionChart()
        chart.y.shouldBeInstanceOf<CategoryAxis>().order shouldBe
            listOf("ktor-cio:3.9.0", "ktor-cio:3.10.0", "ktor-cio@article:2.3.12", "ktor-cio@article:3.9.0")
        chart.alt shouldContain "ktor-cio@article:2.3.12: 90"
        chart.caption shouldContain "n = 6 forks a row"
    }

    @Test
    fun `a version looks like its client`() {
        Style.colorOf("ktor-cio@article:2.3.12") shouldBe Style.colorOf("ktor-cio@article")
        Style.shapeOf("retrofit:2.9.0") shouldBe Style.shapeOf("retrofit")
        Style.colorOf("ktor-cio@default:3.5.2") shouldBe Style.colorOf("ktor-cio@default")
    }
}
