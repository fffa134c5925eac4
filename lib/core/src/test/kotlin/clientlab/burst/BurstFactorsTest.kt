package clientlab.burst

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.comparables.shouldBeGreaterThanOrEqualTo
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import kotlin.time.Duration.Companion.milliseconds

/** Whole trials of what source 004 asks of a burst: from where it is sent, what is read, and what becomes of each request. */
class BurstFactorsTest {
    private val server = RunningServer()
    private val burst =
        Burst(listOf(info("plain").copy(payloads = Payload.entries)), listOf(20), 500.milliseconds, start = listOf(Start.Cold))

    @AfterEach
    fun close() = server.close()

    @Test
    fun `each request's steps are on one clock and in their order`() {
        val trial = trial(burst.copy(timeline = true), client(::SocketSession))
        trial.outcome shouldBe Outcome.Complete
        trial.warnings shouldBe emptyList()
        val times = trial.timeline.shouldNotBeNull()
        times.number shouldContainExactly List(20) { it }
        for (row in 0 until times.size) {
            times.leftQueueMs[row].shouldBeNull()
            val arrived = times.arrivedMs[row].shouldNotBeNull()
            val answered = times.answeredMs[row].shouldNotBeNull()
            arrived shouldBeGreaterThanOrEqualTo times.askedMs[row]
            answered - arrived shouldBeGreaterThanOrEqualTo 499.0
            times.readMs[row].shouldNotBeNull() shouldBeGreaterThanOrEqualTo answered
        }
        times.connection.distinct().size shouldBe 20
        trial.metrics["batches"] shouldBe 1.0
    }

    @Test
    fun `a limit makes batches, and what a client tells of its queue is in the timeline`() {
        val telling = client { conditions ->
            val events = conditions.events
            val session = limited(conditions, 5)
            Around(session) { number, send ->
                events?.happened("/delay?a=$number", RequestEvent.LeftQueue, System.nanoTime())
                send()
            }
        }
        val trial = trial(burst.copy(timeline = true), telling)
        trial.outcome shouldBe Outcome.Wave
        trial.metrics["batches"] shouldBe 4.0
        val times = trial.timeline.shouldNotBeNull()
        times.leftQueueMs shouldNotContain null
        // From the first that was asked: a request of the last batch may have been asked late, and then it waited for less.
        times.arrivedMs.filterNotNull().max() - times.askedMs.min() shouldBeGreaterThanOrEqualTo 1499.0
        trial.metrics["arrivalMaxMs"] shouldBe
            times.arrivedMs.zip(times.askedMs) { arrived, asked -> arrived.shouldNotBeNull() - asked }.max()
        trial.metrics["servedMaxMs"].shouldNotBeNull() shouldBeLessThanOrEqualTo trial.metrics.getValue("latencyMaxMs")
    }

    @Test
    fun `no times are kept where nobody asks for them`() {
        trial(burst, client(::SocketSession)).timeline.shouldBeNull()
    }

    @ParameterizedTest
    @EnumSource(Dispatch::class)
    fun `from wherever it is sent, the burst is complete and its threads are not taken for the client's`(dispatch: Dispatch) {
        val trial = trial(burst.copy(dispatcher = listOf(dispatch)), client(::SocketSession))
        trial.reasons shouldBe emptyList()
        trial.outcome shouldBe Outcome.Complete
        // Looked at when the server has the last request, whose thread may still be on its way from writing it to reading the answer.
        trial.metrics.getValue("threadsBlocked") shouldBeGreaterThanOrEqualTo 18.0
        trial.metrics.getValue("threadsBlocked") shouldBeLessThanOrEqualTo 20.0
        trial.leaks.shouldNotBeNull().undeclared shouldBe emptyList()
    }

    @Test
    fun `an answer that was to be decoded and was not makes the trial invalid with that reason`() {
        val trial = trial(burst.copy(payload = listOf(Payload.Json)), client(::SocketSession))
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.first() shouldBe "20 of 20 requests failed: not decoded (20). The first: not decoded"
    }

    @Test
    fun `an answer that was decoded is right, and came from the path that has JSON`() {
        val decoding = client { conditions ->
            conditions.payload shouldBe Payload.Json
            Around(SocketSession(conditions)) { _, send -> send().copy(decoded = Datetime("2026-11-21T12:00:00Z")) }
        }
        trial(burst.copy(payload = listOf(Payload.Json)), decoding).outcome shouldBe Outcome.Complete
    }

    @Test
    fun `a burst sent again goes through the same session, and its connections are counted apart`() {
        val opened = ArrayList<Int>()
        val own = client { conditions ->
            opened += 1
            SocketSession(conditions)
        }
        val trial = trial(burst.copy(again = 2), own)
        opened.size shouldBe 1
        trial.evidence.shouldNotBeNull().arrived shouldBe 20
        trial.metrics["connectionsOpened"] shouldBe 20.0
        trial.metrics["connectionsOpenedAgain"] shouldBe 20.0
        trial.metrics["failedAgain"] shouldBe 0.0
        trial.metrics["durationAgainMs"].shouldNotBeNull() shouldBeGreaterThanOrEqualTo 500.0
    }

    private fun trial(burst: Burst, client: Client): Trial =
        ServerProbe(server.address).use { probe ->
            val spec = TrialSpec("test", 0, burst, burst.treatments.single(), server.address)
            buildList { burstTrial(TrialScope(spec, probe, client, ::add), burst) }.single()
        }
}
