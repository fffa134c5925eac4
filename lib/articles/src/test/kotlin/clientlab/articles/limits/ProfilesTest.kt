package clientlab.articles.limits

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.journal.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

class ProfilesTest {
    private val treatment = Treatment("client" to "ktor-okhttp", "inFlight" to 100, "instrument" to "cpu-profile")

    private fun stack(weight: Long, vararg frames: String) = Stack(listOf("[pool-#]") + frames, weight)

    private val profile =
        Profile(
            "20261121-000000-abcd",
            treatment,
            listOf(
                listOf(
                    stack(60, "java/lang/Thread.run", "okhttp3/RealCall.execute", "okio/Buffer.read", "java/net/Socket.read"),
                    stack(30, "java/lang/Thread.run", "okhttp3/RealCall.execute"),
                    Stack(listOf("[C# CompilerThre]", "CompileBroker::loop"), 10),
                ),
                listOf(stack(6, "java/lang/Thread.run", "okhttp3/RealCall.execute", "okio/Buffer.read"), stack(4, "java/lang/Thread.run")),
            ),
        )

    @ParameterizedTest
    @CsvSource(
        "io/ktor/client/engine/cio/Endpoint.execute, Ktor CIO",
        "io/ktor/client/HttpClient.execute, Ktor",
        "kotlinx/coroutines/DispatchedTask.run, kotlinx.coroutines",
        "okhttp3/Dispatcher.promote, OkHttp",
        "clientlab/workload/BurstLoadKt.sendBurst, harness and adapter",
    )
    fun `a stack runs on behalf of its innermost library`(frame: String, owner: String) {
        Owners.of(listOf("[main]", "okio/Okio.x", frame, "java/util/ArrayList.add", "memcpy")) shouldBe owner
    }

    @Test
    fun `a stack without a library goes by its thread`() {
        Owners.of(listOf("[GC Thread##]", "GCTask::run")) shouldBe Owners.COLLECTOR
        Owners.of(listOf("[G# Service]", "run")) shouldBe Owners.COLLECTOR
        Owners.of(listOf("[C# CompilerThre]", "x")) shouldBe Owners.COMPILER
        Owners.of(listOf("[main]", "java/lang/Thread.run")) shouldBe Owners.JVM
    }

    @Test
    fun `shares are medians over forks, which weigh alike`() {
        val shares = profile.shares()
        shares.keys.toList() shouldContainExactly listOf("OkHttp", "Okio", Owners.JVM, Owners.COMPILER)
        shares.getValue("Okio").value shouldBe (60.0 plusOrMinus 1e-9)
        shares.getValue("OkHttp").value shouldBe (15.0 plusOrMinus 1e-9)
        shares.getValue("Okio").n shouldBe 2
        val top = profile.topFrames(2)
        top["frame"].values().toList() shouldContainExactly listOf("Socket.read", "Buffer.read")
        top["percent"].values().toList() shouldContainExactly listOf(30.0, 30.0)
        profile.byLibrary()["percent"].values().sumOf { it as Double } shouldBe (100.0 plusOrMinus 1e-6)
    }

    @Test
    fun `a flame graph puts each frame upon its caller, as wide as its share`() {
        val chart = profile.flameChart()
        chart.title shouldBe "ktor-okhttp: of the processor time 60 % Okio's and 15 % OkHttp's"
        val boxes = (chart.marks.single() as Boxes).data
        val rows = (0 until boxes.size).map { row -> boxes.columns.mapValues { it.value[row] } }

        fun of(text: String) = rows.single { it["text"] == text }
        of("all")["to"] as Double shouldBe (100.0 plusOrMinus 1e-9)
        of("RealCall.execute")["bottom"] shouldBe 2
        of("RealCall.execute").let { it["to"] as Double - it["from"] as Double } shouldBe (75.0 plusOrMinus 1e-9)
        of("Buffer.read").let { it["to"] as Double - it["from"] as Double } shouldBe (60.0 plusOrMinus 1e-9)
        of("Buffer.read")["from"] shouldBe of("RealCall.execute")["from"]
        of("Buffer.read")["library"] shouldBe "Okio"
        of("Socket.read")["library"] shouldBe "Java, Kotlin and the JVM"
        of("JIT compiler")["bottom"] shouldBe 1
    }

    @Test
    fun `a long row of one library's frames is folded to its first two and its last`() {
        val row = (1..9).map { "io/ktor/util/Pipeline.step$it" }.toTypedArray()
        val long = Profile("r", treatment, listOf(listOf(stack(1, "java/lang/Thread.run", *row, "okio/Buffer.read"))))
        long.flames().map { it.frame } shouldContainExactly
            listOf("all", "Thread.run", "Pipeline.step1", "Pipeline.step2", "Pipeline.step9", "Buffer.read")
        long.flames(folded = false).size shouldBe 12
    }

    @Test
    fun `words that do not fit their box are cut, and the picture holds the rest`() {
        val svg = LetsPlotRenderer().render(profile.flameChart()).svg
        svg shouldContain "RealCall.execute"
        svg shouldContain "Buffer.read"
        svg shouldContain "…"
    }
}
