package clientlab.articles.transfer

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTransfers.forks
import clientlab.notebook.made.MadeTransfers.overHttp
import clientlab.notebook.made.MadeTrials.frame
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path

/**
 * The claims about moving bytes against trials made by hand: some that bear them out and some that do not.
 *
 * Without published data, so that no noise of the machine that made them is between a made trial and its verdict.
 */
class IoClaimsTest(
    @param:TempDir private val data: Path,
) : HeldToTrials(ioClaims) {
    private fun times(operation: String, vararg ms: Pair<String, Double>) = ms.flatMap { (means, time) ->
        forks(operation, means, "iterationMedianMs" to time)
    }

    private fun allocating(then: Double, now: Double = then) =
        listOf("file-read", "socket-write").flatMap { operation ->
            listOf(THEN to then, NOW to now, "stream" to 1000.0).flatMap { (means, bytes) ->
                forks(operation, means, "allocatedBytesPerMiB" to bytes)
            }
        }

    /** Ktor of the source's day and of today, beside [others]. */
    private fun ktor(operation: String, then: Double, now: Double, vararg others: Pair<String, Double>) =
        times(operation, THEN to then, NOW to now, *others)

    private fun behind(threads: Double) = listOf("async-channel", "ktor", "coroutine").flatMap {
        forks("file-read", it, "fileThreadsBehind" to threads)
    }

    private fun left(here: Double, there: Double) =
        forks("close", "ktor", "socketsLeft" to here) + forks("peer-close", "ktor", "socketsLeft" to there)

    private fun bulk(retrofit: Double) =
        overHttp("retrofit", retrofit) + overHttp("ktor-java", 100.0) + overHttp("ktor-apache5", 100.0)

    private fun gap(own: Double) =
        listOf("file-read", "socket-write").flatMap { times(it, THEN to 1000.0, "coroutine" to own, "stream" to 100.0) }

    override val cases: Map<String, Case> =
        mapOf(
            "io.pipeline" to
                Case(ktor("pipeline", 700.0, 600.0, "stream" to 100.0), ktor("pipeline", 200.0, 700.0, "stream" to 100.0)),
            "io.async-file" to Case(behind(1.0), behind(0.0)),
            "io.file" to
                Case(
                    ktor("file-read", 1240.0, 900.0, "stream" to 58.5, "random-access" to 75.4),
                    ktor("file-read", 120.0, 900.0, "stream" to 58.5, "random-access" to 75.4),
                ),
            "io.socket" to
                Case(ktor("socket-write", 675.0, 500.0, "stream" to 88.0), ktor("socket-write", 100.0, 500.0, "stream" to 88.0)),
            "io.custom" to Case(gap(200.0), gap(900.0)),
            "io.nio" to
                Case(
                    times("socket-write", "coroutine" to 120.0, "async-channel" to 110.0, "stream" to 86.0),
                    times("socket-write", "coroutine" to 120.0, "async-channel" to 80.0, "stream" to 86.0),
                ),
            "io.alloc" to Case(allocating(20_000.0), allocating(5_000.0)),
            "io.close" to Case(left(0.0, 5.0), left(0.0, 0.0)),
            "threads.bulk" to Case(bulk(90.0), bulk(150.0)),
        )

    override val ofTheSource = listOf("io.mean")

    override fun verdictOn(id: String, trials: List<Trial>): Verdict {
        lateinit var verdict: Verdict
        withDataIn(data) { verdict = super.verdictOn(id, trials) }
        return verdict
    }

    @TestFactory
    fun `a claim about means that were not measured is open`(): List<DynamicTest> =
        cases.keys.map { id ->
            dynamicTest(id) { verdictShouldBe(VerdictOutcome.Inconclusive, id, forks("file-write", "okio", "iterationMedianMs" to 1.0)) }
        }

    @Test
    fun `no gap is none to close`() {
        val none = listOf("file-read", "socket-write").flatMap { times(it, THEN to 90.0, "coroutine" to 95.0, "stream" to 100.0) }
        verdict("io.custom", frame(*none.toTypedArray())).outcome shouldBe VerdictOutcome.Inconclusive
    }

    @Test
    fun `what held for the source's Ktor and does not for today's is no longer so`() {
        val past = mapOf(
            "io.pipeline" to ktor("pipeline", 700.0, 110.0, "stream" to 100.0),
            "io.file" to ktor("file-read", 1240.0, 150.0, "stream" to 58.5, "random-access" to 75.4),
            "io.socket" to ktor("socket-write", 675.0, 80.0, "stream" to 88.0),
            "io.alloc" to allocating(20_000.0, now = 2_000.0),
        )
        past.forEach { (id, trials) -> withClue(id) { verdictOn(id, trials).outcome shouldBe VerdictOutcome.NoLongerSo } }
        // Without trials of the source's version it stays open.
        verdictOn("io.socket", times("socket-write", NOW to 80.0, "stream" to 88.0)).outcome shouldBe VerdictOutcome.Inconclusive
    }

    @Test
    fun `the source's own values decide what is said of its mean`() {
        val verdict = Claims.all
            .single {
                it.id == "io.mean"
            }.heldAgainst(frame(*forks("file-read", "stream", "iterationMedianMs" to 1.0).toTypedArray()))
        verdict.outcome shouldBe VerdictOutcome.Supported
        verdict.parts[1].estimate.value shouldBe 39.0
    }

    private companion object {
        const val THEN = "ktor:1.5.4"
        const val NOW = "ktor:3.5.2"
    }
}
