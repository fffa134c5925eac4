package clientlab.audit

import clientlab.*
import clientlab.client.*
import clientlab.server.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.maps.shouldNotContainKey
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import kotlinx.coroutines.future.await
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import java.io.IOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration.ofMillis
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Whole audits, in this JVM, against the real server at three hosts. */
class AuditTrialTest {
    /** A server a trial: what an audit leaves under way ends with its fork, and here with the server. */
    private val server get() = RunningServer(ServerSettings(hosts = HOSTS))

    @Test
    fun `a limit is found at every load above it, with the threads that it holds, and nobody declared it`() {
        val trial = trial(client { limited(it, limit = 7) })
        trial.outcome shouldBe Outcome.Wave
        trial.metrics["heldInFlight"] shouldBe 7.0
        trial.metrics["waiting"] shouldBe 23.0
        trial.metrics["refused"] shouldBe 0.0
        trial.metrics["heldConnections"] shouldBe 7.0
        trial.threads.single { it.state == ThreadState.BlockedInRead }.count shouldBe 7
        trial.curves.getValue("held") shouldContainExactly listOf(listOf(10.0, 7.0), listOf(30.0, 7.0))
    }

    @Test
    fun `a client without a limit holds all, and nothing waits`() {
        val trial = trial(client(::SocketSession))
        trial.outcome shouldBe Outcome.Complete
        trial.metrics["heldInFlight"] shouldBe 30.0
        trial.metrics["waiting"] shouldBe 0.0
        trial.reasons.shouldBeEmpty()
    }

    @Test
    fun `a limit of a host is told from one of all hosts together`() {
        val hosts = server.use { it.address.hosts }
        assumeTrue(hosts == HOSTS, "This system has $hosts loopback addresses of the $HOSTS that this needs.")
        val perHost = client { PerHostSession(it, limit = 4) }
        trial(perHost, hosts = 1).metrics["heldInFlight"] shouldBe 4.0
        trial(perHost, hosts = HOSTS).metrics["heldInFlight"] shouldBe 12.0
        trial(client { Around(AsyncSession(it), around = permitting(5)) }, hosts = HOSTS).metrics["heldInFlight"] shouldBe 5.0
    }

    @Test
    fun `a queue that is full is counted, with the exception that says so`() {
        val session = { conditions: Conditions ->
            Around(limited(conditions, limit = 4)) { number, send -> if (number >= 10) throw IOException("queue full") else send() }
        }
        val trial = trial(client(session))
        trial.metrics["heldInFlight"] shouldBe 4.0
        trial.metrics["waiting"] shouldBe 6.0
        trial.metrics["refused"] shouldBe 20.0
        trial.errors shouldBe mapOf("IOException" to 20)
    }

    @Test
    fun `time-outs of an answer, of a place and of a connection are found, each by itself`() {
        val trial = trial(client(::ImpatientSession), patience = 20.seconds)
        trial.metrics.getValue("answerTimeoutMs").let {
            // It counts from when the request arrived, and the client from when it began to connect.
            it shouldBeGreaterThanOrEqual ImpatientSession.ANSWER_MS * 0.7
            it shouldBeLessThan ImpatientSession.PLACE_MS.toDouble()
        }
        trial.metrics.getValue("waitTimeoutMs") shouldBeGreaterThanOrEqual ImpatientSession.PLACE_MS - CLOCK_MS
        trial.metrics.getValue("connectTimeoutMs") shouldBeGreaterThanOrEqual ImpatientSession.CONNECT_MS - CLOCK_MS
    }

    @Test
    fun `a client that gives nothing up has no time-out`() {
        val trial = trial(client { limited(it, limit = 7) }, patience = 300.milliseconds)
        trial.metrics["patienceMs"] shouldBe 300.0
        trial.metrics shouldNotContainKey "answerTimeoutMs"
        trial.metrics shouldNotContainKey "waitTimeoutMs"
    }

    @Test
    fun `where no request arrives the trial is invalid, and says why`() {
        val broken = client { Around(SocketSession(it)) { _, _ -> throw IOException("no route") } }
        val trial = trial(broken)
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.single() shouldStartWith "No request arrived. The first failure: java.io.IOException: no route"
    }

    @Test
    fun `more hosts than the server is at are refused`() {
        val refused = shouldThrow<LabException> { trial(client(::SocketSession), hosts = 20) }
        refused.message shouldStartWith "The delay server is at "
        refused.message shouldEndWith "ask for hosts = listOf(1) here."
    }

    private fun trial(client: Client, hosts: Int = 1, patience: Duration = Duration.ZERO): Trial {
        val audit = Audit(listOf(info("mine")), upTo = 30, hosts = listOf(hosts), patience = patience)
        val kept = ArrayList<Trial>()
        server.use { running ->
            running.probe().use { probe ->
                val spec = TrialSpec("made", 0, audit, audit.treatments.single(), running.address)
                AuditTrial(TrialScope(spec, probe, client) { kept += it }, audit).run()
            }
        }
        return kept.single()
    }

    private fun permitting(limit: Int): suspend (Int, suspend () -> Reply) -> Reply {
        val permits = Semaphore(limit)
        return { _, send -> permits.withPermit { send() } }
    }

    /** So many to each host, whatever the others have. */
    private class PerHostSession(private val conditions: Conditions, private val limit: Int) : Session {
        private val permits = ConcurrentHashMap<String, Semaphore>()
        private val session = AsyncSession(conditions)

        override suspend fun send(request: Request): Reply =
            permits.computeIfAbsent(conditions.baseUrl.resolve(request.path).host) { Semaphore(limit) }.withPermit { session.send(request) }

        override fun close() = session.close()
    }

    /** Three at a time; whoever has waited too long for a place, an answer or a connection leaves. */
    private class ImpatientSession(private val conditions: Conditions) : Session {
        private val permits = Semaphore(3)
        private val client =
            HttpClient
                .newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(ofMillis(CONNECT_MS))
                .build()

        override suspend fun send(request: Request): Reply {
            withTimeout(PLACE_MS.milliseconds) { permits.acquire() }
            // The place is kept: whoever comes next waits for one to its end.
            val uri: URI = conditions.baseUrl.resolve(request.path)
            val asked = HttpRequest.newBuilder(uri).timeout(ofMillis(ANSWER_MS)).build()
            return Reply(client.sendAsync(asked, BodyHandlers.discarding()).await().statusCode())
        }

        override fun close() = client.close()

        companion object {
            const val CONNECT_MS = 1_200L
            const val ANSWER_MS = 1_600L
            const val PLACE_MS = 2_400L
        }
    }

    private companion object {
        const val HOSTS = 3

        /** Time-outs are kept by clocks of a coarser grain than ours. */
        const val CLOCK_MS = 20.0
    }
}
