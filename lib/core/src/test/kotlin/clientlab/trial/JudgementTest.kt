package clientlab.trial

import clientlab.*
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

class JudgementTest {
    /** A burst of 100 that went well, and how it is bent. */
    data class Case(
        val name: String,
        val outcome: Outcome,
        val reasons: List<String> = emptyList(),
        val warnings: List<String> = emptyList(),
        val errors: Map<String, Int> = emptyMap(),
        val evidence: Evidence = WELL,
        val leaks: Leaks? = Leaks(),
        val limit: Int? = null,
        val snapshotKept: Boolean = true,
        val latenciesMs: List<Double> = emptyList(),
        val delayMs: Long = 0,
        val keptConnections: Long? = null,
    ) {
        override fun toString() = name
    }

    @ParameterizedTest
    @MethodSource("cases")
    fun `a burst is judged by what the server saw`(case: Case) {
        val judged =
            judgeBurst(
                100,
                result(case.errors, case.latenciesMs),
                case.evidence,
                case.leaks,
                case.limit,
                case.snapshotKept,
                case.delayMs,
                case.keptConnections,
            )
        judged.outcome shouldBe case.outcome
        judged.reasons shouldContainExactly case.reasons
        judged.warnings shouldContainExactly case.warnings
    }

    @Test
    fun `everything that is wrong is said, and a wave with a failure is invalid`() {
        val evidence = WELL.copy(peakInFlight = 40, answeredEarly = 3, arrived = 99)
        val judged = judgeBurst(100, result(mapOf("IOException" to 1)), evidence, null, null, snapshotKept = false)
        judged.outcome shouldBe Outcome.Invalid
        judged.reasons.size shouldBe 4
        judged.warnings.size shouldBe 1
    }

    @Test
    fun `a burst of one is complete with one in flight`() {
        val evidence = Evidence(arrived = 1, answered = 1, answeredOk = 1, peakInFlight = 1)
        val judged = judgeBurst(1, result(emptyMap()), evidence, null, null, snapshotKept = true)
        judged.outcome shouldBe Outcome.Complete
        judged.reasons.shouldBeEmpty()
    }

    companion object {
        private val WELL = Evidence(arrived = 100, answered = 100, answeredOk = 100, peakInFlight = 100, listenOverflows = 0)

        private fun wave(k: Int) = "The server saw at most $k of 100 in flight."

        private fun result(errors: Map<String, Int>, latenciesMs: List<Double> = emptyList()) =
            BurstResult(100, 1.0, latenciesMs.toDoubleArray(), errors, errors.keys.firstOrNull()?.let { "$it: in full" })

        @JvmStatic
        fun cases() =
            listOf(
                Case("complete", Outcome.Complete),
                Case("complete where leaks were not looked for", Outcome.Complete, leaks = null),
                Case("complete where the system tells no overflows", Outcome.Complete, evidence = WELL.copy(listenOverflows = null)),
                Case(
                    "complete where the queue that ran over was another server's",
                    Outcome.Complete,
                    evidence = WELL.copy(listenOverflows = 7, ownListenDrops = 0),
                ),
                Case("complete below a declared limit", Outcome.Complete, limit = 200),
                Case(
                    "complete with what is declared left behind",
                    Outcome.Complete,
                    leaks = Leaks(threads = listOf("timer"), connections = 2),
                ),
                Case("a wave as declared", Outcome.Wave, listOf(wave(64)), evidence = WELL.copy(peakInFlight = 64), limit = 64),
                Case(
                    "a wave that is not declared",
                    Outcome.Wave,
                    listOf(wave(99)),
                    listOf("Only 99 of 100 were in flight at once, and the adapter declares no limit."),
                    evidence = WELL.copy(peakInFlight = 99),
                ),
                Case(
                    "a wave at another level than declared",
                    Outcome.Wave,
                    listOf(wave(5)),
                    listOf("5 were in flight at once; the adapter declares 64."),
                    evidence = WELL.copy(peakInFlight = 5),
                    limit = 64,
                ),
                Case(
                    "failures, by kind",
                    Outcome.Invalid,
                    listOf("3 of 100 requests failed: IOException (2), status 503 (1). The first: IOException: in full"),
                    errors = mapOf("IOException" to 2, "status 503" to 1),
                ),
                Case(
                    "early answers",
                    Outcome.Invalid,
                    listOf("2 answers came before their delay."),
                    evidence = WELL.copy(answeredEarly = 2),
                ),
                Case(
                    "fewer arrived than were sent",
                    Outcome.Invalid,
                    listOf(
                        "The client sent 100 requests and the server saw 60.",
                        "The client counted 100 answers and the server wrote 60.",
                    ),
                    evidence = WELL.copy(arrived = 60, answeredOk = 60),
                ),
                Case(
                    "more arrived than were sent",
                    Outcome.Invalid,
                    listOf("The client sent 100 requests and the server saw 101."),
                    evidence = WELL.copy(arrived = 101),
                ),
                Case(
                    "answers that nobody wrote",
                    Outcome.Invalid,
                    listOf("The client counted 100 answers and the server wrote 99."),
                    evidence = WELL.copy(answeredOk = 99),
                ),
                Case(
                    "an accept queue that ran over",
                    Outcome.Invalid,
                    listOf("An accept queue on the server's machine ran over 7 times, so connections were retried."),
                    evidence = WELL.copy(listenOverflows = 7),
                ),
                Case(
                    "threads left behind",
                    Outcome.Invalid,
                    listOf("5 threads were left after close: a, b, c."),
                    leaks = Leaks(threads = listOf("a", "a", "b", "c", "d"), undeclared = listOf("a", "a", "b", "c", "d")),
                ),
                Case(
                    "connections left open",
                    Outcome.Invalid,
                    listOf("3 connections were left open after close."),
                    leaks = Leaks(connections = 3, undeclaredConnections = 1),
                ),
                Case(
                    "answers no sooner than their delay",
                    Outcome.Complete,
                    latenciesMs = listOf(1000.0, 1000.1),
                    delayMs = 1000,
                ),
                Case(
                    "answers sooner than their delay",
                    Outcome.Invalid,
                    listOf("The client had 2 answers before the delay of 1000 ms was over, the first after 12 ms."),
                    latenciesMs = listOf(12.7, 999.999, 1000.0),
                    delayMs = 1000,
                ),
                Case(
                    "a connection for each in flight, opened now",
                    Outcome.Complete,
                    evidence = WELL.copy(connectionsOpened = 100, peakConnections = 120),
                    keptConnections = 0,
                ),
                Case(
                    "connections of the session before, as declared",
                    Outcome.Complete,
                    evidence = WELL.copy(connectionsOpened = 95, peakConnections = 100),
                    keptConnections = 5,
                ),
                Case(
                    "connections of the session before, more than are declared",
                    Outcome.Invalid,
                    listOf(
                        "100 requests at once had 100 connections and the session opened 94: " +
                            "the others were there before it, and the adapter declares 5 of that kind.",
                    ),
                    evidence = WELL.copy(connectionsOpened = 94, peakConnections = 100),
                    keptConnections = 5,
                ),
                Case(
                    "fewer connections than requests at once",
                    Outcome.Complete,
                    warnings = listOf("100 requests were in flight over at most 4 connections, so some shared one."),
                    evidence = WELL.copy(connectionsOpened = 4, peakConnections = 4),
                    keptConnections = 0,
                ),
                Case(
                    "a wave that opened a connection for each in flight",
                    Outcome.Wave,
                    listOf(wave(64)),
                    evidence = WELL.copy(peakInFlight = 64, connectionsOpened = 64, peakConnections = 64),
                    limit = 64,
                    keptConnections = 0,
                ),
                Case(
                    "a server that was late by as much as happens",
                    Outcome.Complete,
                    evidence = WELL.copy(overshootMs = Overshoot(p99 = 100.0)),
                    delayMs = 1000,
                ),
                Case(
                    "a server that was late, of a long delay a small part",
                    Outcome.Complete,
                    evidence = WELL.copy(overshootMs = Overshoot(p99 = 250.0)),
                    delayMs = 5000,
                ),
                Case(
                    "a server that was late",
                    Outcome.Complete,
                    warnings =
                        listOf(
                            "The server itself was late: its slowest answers (99th percentile) were written 101 ms after they were due.",
                        ),
                    evidence = WELL.copy(overshootMs = Overshoot(p99 = 101.0)),
                    delayMs = 1000,
                ),
                Case(
                    "a snapshot that came too late",
                    Outcome.Invalid,
                    listOf("Answers came before the snapshot was taken, so the threads were not counted; lengthen the delay."),
                    snapshotKept = false,
                ),
            )
    }
}
