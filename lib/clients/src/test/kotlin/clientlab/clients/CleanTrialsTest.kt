package clientlab.clients

import clientlab.*
import clientlab.burst.*
import io.kotest.matchers.collections.shouldBeEmpty
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import kotlin.time.Duration.Companion.milliseconds

/** Trials without a fault raise no alarm: real clients, each trial in a JVM of its own, against the real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CleanTrialsTest {
    private lateinit var server: RealServer

    @BeforeAll
    fun start() {
        server = RealServer()
    }

    @AfterAll
    fun stop(): Unit = server.close()

    @Test
    fun `four clean trials are complete without a reason or a warning`() {
        alarms(4, listOf(Start.Cold)).shouldBeEmpty()
    }

    @Test
    @Tag("long")
    fun `two hundred clean trials, cold and warm, are complete without a reason or a warning`() {
        alarms(200, listOf(Start.Cold, Start.Warm)).shouldBeEmpty()
    }

    /** The reasons and warnings of [trials] trials, one client after another; the warm-ups count too, but not their number in flight. */
    private fun alarms(trials: Int, starts: List<Start>): List<String> {
        val ids = TestedClients.opened
        return (0 until trials).flatMap { number ->
            val id = ids[number % ids.size]
            val start = starts[number / ids.size % starts.size]
            val burst = Burst(listOf(info(id)), inFlight = listOf(10), delay = DELAY, start = listOf(start), timeline = true)
            val trial = "trial $number, $id, $start"
            named(trial) { begun(burst, server, number).use { it.trials(burst) } }
                .filter { it.outcome != Outcome.Complete || it.reasons.isNotEmpty() || it.warnings.isNotEmpty() }
                .map { "$trial${if (it.warmup) ", warm-up" else ""}: ${it.outcome} ${it.reasons} ${it.warnings}" }
        }
    }

    /** Does [work]; a failure of it begins with [what] was tried. */
    private fun <T> named(what: String, work: () -> T): T =
        runCatching(work).getOrElse { throw AssertionError("$what: ${it.message}", it) }

    private companion object {
        val DELAY = 500.milliseconds
    }
}
