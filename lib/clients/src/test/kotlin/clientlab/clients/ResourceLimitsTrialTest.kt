package clientlab.clients

import clientlab.*
import clientlab.resourcelimits.*
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.maps.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance

/** Real clients under real limits of memory and threads, if the system can set them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResourceLimitsTrialTest {
    private lateinit var server: RealServer

    @BeforeAll
    fun start() {
        server = RealServer()
    }

    @AfterAll
    fun stop(): Unit = server.close()

    @Test
    fun `a client that holds a thread for each request ends below the number of threads, and says why`() {
        val trial = trial("retrofit", threads = 150)
        trial.metrics.getValue("heldInFlight").shouldBeBetween(50.0, 149.0, 0.0)
        trial.metrics["survived"] shouldBe 0.0
        trial.errors.shouldNotBeEmpty()
    }

    @Test
    fun `a client that holds no thread for a request has all of them in flight within the same limit`() {
        val trial = trial("jdk", threads = 150)
        trial.metrics["heldInFlight"] shouldBe 400.0
        trial.metrics["survived"] shouldBe 1.0
        trial.errors shouldBe emptyMap()
    }

    @Test
    fun `a release of a client is found as the client is`() {
        val released = info("jdk").let { it.copy(id = "${it.id}:1.0") }
        trial(released, threads = 150).metrics["heldInFlight"] shouldBe 400.0
    }

    private fun trial(id: String, threads: Int): Trial = trial(info(id), threads)

    private fun trial(client: ClientInfo, threads: Int): Trial {
        val trial = measured(ResourceLimits(listOf(client), threads = listOf(threads), upTo = 400), server)
        val unlimited = trial.reasons.firstOrNull { "No limit can be set here" in it }
        assumeTrue(unlimited == null, unlimited.orEmpty())
        trial.outcome shouldBe Outcome.Complete
        return trial
    }
}
