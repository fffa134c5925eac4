package clientlab

import clientlab.testing.*
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class TrialTest {
    private val trial =
        Trial(
            experiment = "threads",
            round = 3,
            treatment = Treatment(
                "client" to "ktor-cio@article",
                "protocol" to "http/1.1",
                "inFlight" to 500,
                "delayMs" to 2000,
                "start" to "warm",
            ),
            warmup = false,
            outcome = Outcome.Wave,
            reasons = listOf("The server saw at most 100 of 500 in flight."),
            warnings = listOf("IŞIK ist größer als \"1\" …"),
            metrics = mapOf("durationMs" to 10326.25, "allocatedBytes" to 1.5e9, "cpuSeconds" to 0.5),
            errors = mapOf("ConnectException" to 2),
            threads = ThreadState.entries.map { ThreadCount("caller threads", it, it.ordinal) },
            evidence = Evidence(
                arrived = 500,
                answered = 500,
                overshootMs = Overshoot(0.5, 1.0, null),
                requestsByProtocol = mapOf("http/1.1" to 500),
            ),
            leaks = Leaks(threads = listOf("a", "b"), undeclared = listOf("b"), connections = 3, undeclaredConnections = 1),
            curves = mapOf("live" to listOf(listOf(0.0, 12.0), listOf(20.125, 13.0))),
        )

    @Test
    fun `a line of the journal is the golden one under every locale`() {
        underLocales { LabJson.encodeToString(trial) shouldBe golden("trial.json") }
    }

    @Test
    fun `the golden line is read back as the trial that it was written from`() {
        underLocales { LabJson.decodeFromString<Trial>(golden("trial.json")) shouldBe trial }
    }

    @Test
    fun `a line is one line, whatever a reason holds`() {
        LabJson.encodeToString(trial.copy(reasons = listOf("two\nlines\r\u2028"))) shouldNotContain "\n"
    }

    @Test
    fun `fields that this reader does not know are passed over`() {
        val newer = golden(
            "trial.json",
        ).replaceFirst("{", """{"inventedLater":{"a":[1]},""").replace("\"arrived\"", "\"alsoLater\":1,\"arrived\"")
        LabJson.decodeFromString<Trial>(newer) shouldBe trial
    }

    @Test
    fun `fields that are missing take their defaults`() {
        val least = """{"experiment":"e","round":0,"treatment":{},"warmup":true,"outcome":"invalid"}"""
        LabJson.decodeFromString<Trial>(least) shouldBe Trial("e", 0, Treatment(), warmup = true, outcome = Outcome.Invalid)
    }

    @Test
    fun `a trial that never came to a measurement is invalid with its reason, and has no number`() {
        val never = Trial.invalid("e", 2, trial.treatment, "No Java.")
        never.outcome shouldBe Outcome.Invalid
        never.reasons shouldBe listOf("No Java.")
        never.metrics shouldBe emptyMap()
        never.warmup shouldBe false
    }
}
