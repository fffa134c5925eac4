package clientlab.articles.choose

import clientlab.*
import clientlab.audit.*
import clientlab.burst.*
import clientlab.closedloop.*
import clientlab.conduct.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.update
import org.jetbrains.kotlinx.dataframe.api.with
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

/** Rankings, from estimates made by hand and from the published runs. */
class ChooseTest {
    private fun DataRow<*>.level(name: String): String = this[name].toString()

    private fun between(low: Double, value: Double, high: Double) = Estimate(value, low, high, 8, "made")

    @Test
    fun `clients that intervals do not tell apart share a place`() {
        val estimates = mapOf("c" to between(4.0, 5.0, 6.0), "a" to between(1.0, 2.0, 3.0), "b" to between(2.5, 3.5, 4.5))
        val least = Ranking.ranked(estimates, Best.Smallest)
        least.map { it.client to it.place } shouldContainExactly listOf("a" to 1, "b" to 1, "c" to 2)
        least.map { it.timesTheBest } shouldContainExactly listOf(1.0, 1.75, 2.5)
        val most = Ranking.ranked(estimates, Best.Largest)
        most.map { it.client to it.place } shouldContainExactly listOf("c" to 1, "b" to 1, "a" to 2)
        most.last().timesTheBest shouldBe (2.5 plusOrMinus 1e-9)
    }

    @TestFactory
    fun `each use compares several clients by forks enough for an interval`(): List<DynamicTest> = useCases.map { use ->
        dynamicTest(use.id) {
            val clients = use.ranking.clients
            clients.size shouldBeGreaterThanOrEqual 4
            clients.minOf { it.estimate.n } shouldBeGreaterThanOrEqual 5
            clients.map { it.place }.shouldBeSorted()
            clients.first().place shouldBe 1
            if (use.hasRatio) clients.minOf { it.timesTheBest } shouldBeGreaterThanOrEqual 1.0
        }
    }

    @Test
    fun `a use that there is not is refused with those that there are`() {
        shouldThrow<LabException> { advise("many") }.message shouldContain "give one of many-slow-calls, little-memory"
    }

    @Test
    fun `a client of which too few forks got steady has no place, and is named`() {
        val ranking = useCases.single { it.id == "many-fast-calls" }.ranking
        ranking.clients.map { it.client } shouldNotContain "ktor-java"
        ranking.undecided.getValue("ktor-java").n shouldBe 1
        advise("many-fast-calls").rows().single { it["client"] == "ktor-java" }["place"] shouldBe "not decided"
    }

    @Test
    fun `OkHttp has five calls under way by default, and a hundred of them take twenty seconds`() {
        val okHttp = defaults().rows().single { it["client"] == "okhttp" }
        okHttp["atOnceByDefault"] shouldBe 5
        okHttp["secondsForAHundredCalls"] shouldBe 20
        okHttp["atOnceOpened"] shouldBe "2000"
        okHttp["settings"].toString() shouldContain "maxRequestsPerHost"
    }

    @Test
    fun `a client of the catalogue is most like itself, whatever its library calls its exceptions`() {
        for (id in listOf("retrofit", "ktor-cio")) {
            val findings = findings(
                published<Audit>("audit-2026-11").filter { level("client") == "$id@default" && level("hosts") == "1" },
                published<Burst>("threads-2026-11e").filter { level("client") == id && level("inFlight") == "100" },
                published<ClosedLoop>("cost-steady-2026-11").filter { level("client") == id && level("start") == "warm" },
                published<Conduct>("conduct-2026-11").filter { level("client") == id && level("round") == "0" },
            )
            findings.map { it.others[id]?.same }.count { it == true } shouldBeGreaterThanOrEqual findings.size - 2
            nearest(findings) shouldBe id
        }
    }

    @Test
    fun `the largest share of the same counts, of clients that were asked enough`() {
        fun finding(vararg others: Pair<String, Boolean>, asked: String = "asked") = Finding(
            asked,
            "does",
            others.associate { (id, same) ->
                id to
                    Other("does", same)
            },
            "",
            "",
        )
        nearest(listOf(finding("jdk" to true, "fuel" to true), finding("jdk" to false, "fuel" to true), finding("jdk" to true))) shouldBe
            "fuel"
        nearest(listOf(finding("jdk" to true, "fuel" to true), finding("jdk" to false), finding("jdk" to true))) shouldBe "jdk"
        nearest(listOf(finding("jdk" to false))) shouldBe null
        val threads = finding("jdk" to false, "okhttp" to true, asked = "platform threads that a waiting call holds")
        nearest(listOf(threads, finding("jdk" to true, "okhttp" to false), finding("jdk" to true, "okhttp" to false))) shouldBe "okhttp"
    }

    @Test
    fun `a trial that does not count is a row that says why, beside those that count`() {
        val findings = findings(
            published<Audit>("audit-2026-11").filter { level("client") == "retrofit@default" && level("hosts") == "1" },
            published<Burst>("threads-2026-11e")
                .filter { level("client") == "retrofit" && level("inFlight") == "100" }
                .update("outcome")
                .with { "invalid" }
                .update("reasons")
                .with { "The server was away." },
            published<ClosedLoop>("cost-steady-2026-11").filter { level("client") == "retrofit" && level("start") == "warm" },
            published<Conduct>("conduct-2026-11").filter { level("client") == "retrofit" && level("round") == "0" },
        )
        val spoiled = findings.single { it.client == "not measured" }
        spoiled.asked shouldBe "platform threads that a waiting call holds"
        spoiled.mend shouldBe "Ask again. The server was away."
        findings.size shouldBeGreaterThanOrEqual 8
        nearest(findings) shouldNotBe null
    }

    @Test
    fun `the figure says in words who is first and who is last`() {
        val chart = chooseChart()
        chart.alt shouldContain "a server 40 ms away, over TLS: best "
        chart.runs.size shouldBe useCases.filter { it.hasRatio }.map { it.run }.distinct().size
        choose().rows().map { it["use"].toString() } shouldContain "http2"
    }
}
