package clientlab.notebook.run

import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

class ProgressDisplayTest {
    private fun lineOf(now: String?) = ProgressDisplay.line(Progress(done = 3, total = 10, now = now, left = 2.minutes, invalid = 1))

    @Test
    fun `a line of progress is one line of JSON`() {
        val line = lineOf("retrofit, 100 in flight")
        line.count { it == '\n' } shouldBe 1
        line.last() shouldBe '\n'
        val read = Json.parseToJsonElement(line).jsonObject
        read.getValue("done").jsonPrimitive.int shouldBe 3
        read.getValue("total").jsonPrimitive.int shouldBe 10
        read.getValue("treatment").jsonPrimitive.content shouldBe "retrofit, 100 in flight"
        read.getValue("leftSeconds").jsonPrimitive.int shouldBe 120
    }

    @Test
    fun `quotes, backslashes and line breaks of a treatment leave it valid`() {
        val odd = "jvmArgs -Dpath=\"C:\\lab\"\n\ttail"
        val line = lineOf(odd)
        line.count { it == '\n' } shouldBe 1
        Json.parseToJsonElement(line).jsonObject.getValue("treatment").jsonPrimitive.content shouldBe odd
    }

    @Test
    fun `before the first trial no treatment is named`() {
        Json
            .parseToJsonElement(lineOf(null))
            .jsonObject
            .getValue("treatment")
            .jsonPrimitive.content shouldBe ""
    }

    @Test
    fun `a run that was refused before its first trial has nothing to read or resume`() {
        val refused = Progress(0, 2, null, Duration.ZERO, stopped = true, experiment = "mine", begun = false)
        ProgressDisplay.sentence(refused) shouldBe "no trial has begun"
        ProgressDisplay.sentence(refused.copy(begun = true)) shouldBe
            "stopped after 0 of 2 trials; lastRun(\"mine\") reads them, resume(\"mine\") goes on"
    }

    @Test
    fun `a total that is not known yet is the most that may come, in words and in the file`() {
        val open = Progress(done = 3, total = 80, now = "retrofit", left = 2.minutes, invalid = 1, atMost = true)
        ProgressDisplay.sentence(open) shouldBe "3 of at most 80 trials, 1 invalid (notes() says why) · retrofit · at most 2 min left"
        ProgressDisplay.sentence(open.copy(atMost = false)) shouldBe
            "3 of 80 trials, 1 invalid (notes() says why) · retrofit · about 2 min left"
        ProgressDisplay.sentence(open.copy(stopped = true, experiment = "two-clients")) shouldBe
            "stopped after 3 of at most 80 trials, 1 invalid (notes() says why); lastRun(\"two-clients\") reads them, resume(\"two-clients\") goes on"
        ProgressDisplay.sentence(Progress(24, 24, null, Duration.ZERO)) shouldBe "24 trials"

        fun said(progress: Progress) = Json.parseToJsonElement(ProgressDisplay.line(progress)).jsonObject["atMost"]
        said(open)?.jsonPrimitive?.content shouldBe "true"
        said(open.copy(atMost = false)) shouldBe null
    }
}
