package clientlab.gateway

import clientlab.*
import clientlab.client.*
import clientlab.gatewayload.*
import clientlab.probe.*
import clientlab.server.*
import clientlab.trial.*
import clientlab.workloads.*
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.nio.file.Path
import java.util.ServiceLoader
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Whole trials of a gateway: a delay server here, the trial and its gateway in JVMs of their own. */
class GatewayTrialTest {
    private val server = DelayServer()
    private val address = server.start().let { ServerAddress(it.host, it.port, it.controlPort) }

    @AfterEach
    fun close() = server.close()

    @Test
    fun `a gateway that answers everything has survived`() {
        val trial = trial(rate("ktor-java", perSecond = 50))
        withClue(trial) {
            trial.metrics["survived"] shouldBe 1.0
            trial.metrics["answeredShare"] shouldBe 1.0
            trial.metrics.getValue("latencyP50Ms") shouldBeGreaterThanOrEqual 300.0
            trial.metrics shouldContainKey "osThreads"
            server.evidence().arrived shouldBe 50
        }
    }

    @Test
    @Tag("long")
    fun `a gateway beyond its memory ends, and that is a result`() {
        val trial = trial(rate("retrofit", perSecond = 500, memoryMiB = 256, delay = 2.seconds, seconds = 3))
        withClue(trial) {
            trial.outcome shouldBe Outcome.Complete
            trial.metrics["survived"] shouldBe 0.0
            trial.metrics["outOfMemory"] shouldBe 1.0
            trial.warnings.joinToString() shouldContain "The gateway ended"
        }
    }

    @Test
    @Tag("long")
    fun `a bounded pool answers what it can, and the others give up`() {
        val trial = trial(rate("retrofit", perSecond = 50, delay = 700.milliseconds, pool = 2))
        withClue(trial) {
            trial.metrics["inFlightPeak"] shouldBe 2.0
            trial.metrics["gatewayEnded"] shouldBe 0.0
            trial.metrics.getValue("answeredShare") shouldBeLessThan 1.0
            trial.errors.keys.joinToString() shouldContain "no answer within"
        }
    }

    @Test
    @Tag("long")
    fun `a gateway that cannot start makes the trial invalid, with what it said`() {
        val trial = trial(rate("retrofit", perSecond = 20), gatewayClasspath = "nowhere")
        trial.outcome shouldBe Outcome.Invalid
        trial.reasons.single() shouldContain "The gateway did not start"
    }

    private fun rate(
        client: String,
        perSecond: Int,
        memoryMiB: Int = 512,
        delay: Duration = 300.milliseconds,
        pool: Int? = null,
        seconds: Int = 1,
    ): GatewayLoad {
        val infos = ServiceLoader.load(ClientCatalogue::class.java).flatMap { it.entries }.map { it.info }
        val info = infos.single { it.id == client }.let { if (pool == null) it else it.bounded(pool) }
        return GatewayLoad(listOf(info), rate = listOf(perSecond), seconds = seconds, delay = delay, memoryMiB = listOf(memoryMiB))
    }

    private fun trial(rate: GatewayLoad, gatewayClasspath: String = CLASSPATH): Trial {
        val spec = TrialSpec("made", 0, rate, rate.treatments.single(), address, mapOf(Peer.Gateway to gatewayClasspath))
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val process =
            ProcessBuilder(java, "-cp", CLASSPATH, "clientlab.workloads.TrialMainKt")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
        try {
            process.outputStream.write((ExperimentJson.encodeToString(spec) + "\n").toByteArray())
            process.outputStream.flush()
            val line = process.inputStream.bufferedReader().lineSequence().first { it.startsWith("{") }
            return ExperimentJson.decodeFromString<Trial>(line)
        } finally {
            process.destroyForcibly().waitFor()
        }
    }

    private companion object {
        /** Surefire starts its JVM with a jar that only points to the classpath. */
        val CLASSPATH: String = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
    }
}
