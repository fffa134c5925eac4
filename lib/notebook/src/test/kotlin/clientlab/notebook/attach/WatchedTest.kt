package clientlab.notebook.attach

import clientlab.*
import clientlab.attach.*
import clientlab.notebook.chart.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds

/** What is said of several looks at a service, from looks made by hand. */
class WatchedTest {
    private val limit = SeenLimit("okhttp3.Dispatcher", "maxRequestsPerHost", 37, 12, 0, "shop.Prices > Prices.client")
    private val threads = listOf(SeenThreads("OkHttp Dispatcher", "RUNNABLE", emptyList(), 12))

    private fun moment(atS: Double, taken: Int, waiting: Int, vararg ports: Int): Moment {
        val seen = SeenService(command = "shop.Main", threads = threads, limits = listOf(limit.copy(used = taken, waiting = waiting)))
        return Moment(atS, seen, ports.map { ServiceConnection(it, "a:80", "ESTABLISHED", 5) })
    }

    private val watched = Watched(4711, listOf(moment(0.0, 12, 0, 1, 2), moment(2.0, 37, 5, 2, 3), moment(4.0, 37, 9, 2, 3)))

    @Test
    fun `the figure names the limit that was full, in how many looks, and whose it is`() {
        val chart = watched.chart()
        chart.title shouldBe "maxRequestsPerHost of shop.Prices was full in 2 of 3 looks"
        chart.subtitle shouldBe "shop.Main (4711), 3 looks in 4 s"
        chart.alt shouldContain "maxRequestsPerHost of shop.Prices: 37 of 37 are taken at last, 9 wait"
        LetsPlotRenderer().render(chart).svg shouldContain "waiting"
    }

    @Test
    fun `each look is a line, and each limit a row`() {
        watched.toString().lines() shouldContainExactly listOf(
            "   0 s  maxRequestsPerHost 12 of 37, 0 wait; 12 threads, 2 connections",
            "   2 s  maxRequestsPerHost 37 of 37, 5 wait; 12 threads, 2 connections",
            "   4 s  maxRequestsPerHost 37 of 37, 9 wait; 12 threads, 2 connections",
        )
        watched.limits().rows().map { it["waiting"] }.toList() shouldContainExactly listOf(0, 5, 9)
    }

    @Test
    fun `a connection is at least as old as the look in which it was first seen says`() {
        val row = watched.connections().rows().single()
        row["connections"] shouldBe 2
        row["ageS"] shouldBe 4.0
    }

    @Test
    fun `a service is not looked at all the time`() {
        shouldThrow<LabException> { watch(ProcessHandle.current().pid(), every = 1.milliseconds) }.message shouldStartWith
            "A service is looked at every 500ms at most"
    }
}
