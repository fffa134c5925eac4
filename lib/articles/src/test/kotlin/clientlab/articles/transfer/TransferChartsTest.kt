package clientlab.articles.transfer

import clientlab.notebook.chart.*
import clientlab.notebook.made.MadeTransfers.forks
import clientlab.notebook.made.MadeTransfers.overHttp
import clientlab.notebook.made.MadeTrials.of
import clientlab.transfer.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

class TransferChartsTest {
    private fun made(means: String, speed: Double, bytes: Long = 128L shl 20) =
        forks(
            "file-read",
            means,
            "throughputMiBs" to speed,
            "allocatedBytesPerMiB" to 1e6 / speed,
            "cpuSecondsPerMiB" to 1 / speed,
            "iterationMedianMs" to 128_000 / speed,
            "iterationMeanMs" to 130_000 / speed,
            "iterationFirstMs" to 400_000 / speed,
            "iterationSteadyMs" to 100_000 / speed,
            "iterations" to 20.0,
            bytes = bytes,
        )

    private val reading = of<Transfer>(*(made("ktor", 500.0) + made("stream", 2000.0) + made("plain-loop", 2100.0)).toTypedArray())

    @Test
    fun `the fastest comes first, and the title says how far the last is behind`() {
        val chart = reading.throughputChart("file-read")
        (chart.y as CategoryAxis).order shouldContainExactly listOf("plain-loop", "stream", "ktor")
        chart.title shouldBe "ktor takes 4.20 times as long as plain-loop"
        chart.subtitle shouldContain "128 MiB, 20 times over"
        chart.caption shouldContain "n = 6 forks"
        chart.alt shouldContain "ktor: 500"
    }

    @Test
    fun `costs begin with the least`() {
        val chart = reading.transferAllocationChart("file-read")
        (chart.y as CategoryAxis).order shouldContainExactly listOf("plain-loop", "stream", "ktor")
        chart.title shouldBe "ktor allocates 4.20 times as much as plain-loop"
        val estimates = reading.transferCpuChart("file-read").marks.filterIsInstance<Intervals>().single()
        estimates.data["value"].last() shouldBe 2000.0
    }

    @Test
    fun `iterations are drawn by their number, each the median over forks`() {
        val chart = reading.iterationChart("file-read", "stream", "ktor")
        val lines = chart.marks.filterIsInstance<Lines>().single().data
        lines["iteration"].distinct() shouldBe listOf(1, 2, 3)
        lines["ms"].take(3) shouldBe listOf(50.0, 22.5, 20.0)
        chart.title shouldContain "takes 4 times as long as its later ones"
    }

    @Test
    fun `sizes are on one axis, and the title says whether the fastest is always the same`() {
        val sizes = made("stream", 2000.0) + made("stream", 900.0, 1L shl 20) + made("ktor", 500.0) + made("ktor", 1000.0, 1L shl 20)
        val chart = of<Transfer>(*sizes.toTypedArray()).throughputBySizeChart("file-read")
        chart.title shouldBe "Which is the fastest depends on the size"
        (chart.x as NumberAxis).breaks shouldBe listOf(1L, 128L)
    }

    @Test
    fun `several at once stand in the subtitle`() {
        of<Transfer>(*overHttp("retrofit", 100.0).toTypedArray()).throughputChart("download").subtitle shouldContain "32 MiB"
    }

    @Test
    fun `the harness is held against the plain loop, and the source's table against ours`() {
        reading.yardstick()["harnessByPlainLoop"][0].toString() shouldContain "0.95"
        val table = reading.besideSource001()
        table.rows().map { it["what"] }.distinct() shouldBe listOf("file-read, ktor", "file-read, stream")
        table["sourceByStream"][0] shouldBe "21.3"
        table["ourByStream"][0].toString() shouldContain "4"
    }
}
