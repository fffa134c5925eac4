package clientlab.server

import clientlab.server.evidence.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.nio.file.Files
import java.nio.file.Path

@Timeout(120)
class LiveTest {
    @AutoClose
    private val server = RunningServer()

    @Test
    fun `the page is whole in itself, and may load nothing from elsewhere`() {
        val page = server.control("/live")
        page.statusCode() shouldBe 200
        page.headers().firstValue("content-type").get() shouldBe "text/html; charset=utf-8"
        page.headers().firstValue("content-security-policy").get() shouldContain "default-src 'none'"
        for (elsewhere in listOf("http://", "https://", "//cdn", "src=", "@import", "url(")) page.body() shouldNotContain elsewhere
    }

    @Test
    fun `what it draws is what happens, and looking is counted nowhere`() {
        now().let { listOf(it.inFlight, it.peakInFlight, it.connectionsOpen) shouldContainExactly listOf(0, 0, 0) }
        val pair = List(2) { server.connect().sendRequest("/delay?delay=60") }
        server.awaitInFlight(2)
        server.get("/delay")
        val seen = now()
        listOf(seen.inFlight, seen.peakInFlight) shouldContainExactly listOf(2, 3)
        seen.answered shouldBe 1
        pair.forEach { it.close() }
        server.evidenceWhere { it.inFlight == 0 }
        now().inFlight shouldBe 0
        server.evidence().arrived shouldBe 3
    }

    @Test
    fun `a reset is to be seen by its time`() {
        val before = now()
        server.controlPost("/evidence/reset")
        val after = now()
        after.resetNanoTime shouldBeGreaterThan before.resetNanoTime
        after.nanoTime shouldBeGreaterThan after.resetNanoTime
    }

    @Test
    fun `the control port says where the data port is`() {
        val told = Json.decodeFromString<Ready>(server.control("/server").body())
        told.port shouldBe server.port
        told.pid shouldBe ProcessHandle.current().pid()
        told.transport shouldBe server.transport
    }

    /** Its own virtual time lets the browser live through some seconds at once. */
    @Test
    @Tag("long")
    fun `a browser shows the numbers`() {
        val browser = System
            .getenv("PATH")
            .split(':')
            .flatMap { folder -> listOf("chromium", "chromium-browser", "google-chrome").map { Path.of(folder, it) } }
            .firstOrNull { Files.isExecutable(it) }
        assumeTrue(browser != null, "no Chromium is on this machine, so the page was not opened in a browser")
        repeat(7) { server.connect().sendRequest("/delay?delay=60") }
        server.awaitInFlight(7)
        val shown = opened(browser!!, "http://127.0.0.1:${server.controlPort}/live", virtualMs = 3_000)
        Regex("<p class=\"number\">([^<]*)</p>").findAll(shown).map { it.groupValues[1] }.toList() shouldContainExactly
            listOf("7", "0", "7")
        shown shouldContain ">127.0.0.1:${server.controlPort} answers</p>"
    }

    private fun opened(browser: Path, url: String, virtualMs: Int): String {
        val profile = Files.createTempDirectory("live-page")
        try {
            val options = listOf("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--user-data-dir=$profile")
            val command = listOf("$browser") + options + "--virtual-time-budget=$virtualMs" + "--dump-dom" + url
            val process = ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start()
            return process.inputReader().readText().also { process.waitFor() }
        } finally {
            profile.toFile().deleteRecursively()
        }
    }

    private fun now(): LiveNow = Json.decodeFromString(server.control("/live/now").body())
}
