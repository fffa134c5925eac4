package clientlab.notebook

import clientlab.notebook.fork.Progress
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
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
        Json
            .parseToJsonElement(line)
            .jsonObject
            .getValue("treatment")
            .jsonPrimitive.content shouldBe odd
    }

    @Test
    fun `before the first trial no treatment is named`() {
        Json
            .parseToJsonElement(lineOf(null))
            .jsonObject
            .getValue("treatment")
            .jsonPrimitive.content shouldBe ""
    }
}
