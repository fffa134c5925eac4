package clientlab.jetty

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.nio.file.Path
import java.util.concurrent.TimeUnit

@Timeout(120)
class JettyMainTest {
    @Test
    fun `one line says where it is, and it leaves when its parent does`() {
        val process = start("--parent-stdin")
        process.inputReader().readLine() shouldMatch
            """\{"ready":true,"schemaVersion":1,"host":"127\.0\.0\.1","port":\d+,"pid":${process.pid()},"engine":"ktor-jetty",""" +
            """"connectionGroupSize":2,"workerGroupSize":5,"callGroupSize":10\}"""
        process.outputStream.close()
        process.waitFor(60, TimeUnit.SECONDS) shouldBe true
        process.exitValue() shouldBe 0
        process.inputReader().readLine() shouldBe null
        process.errorReader().readText() shouldBe ""
    }

    @Test
    fun `an option that there is not is refused in one sentence`() {
        val process = start("--threads")
        process.errorReader().readText() shouldBe "--threads is not an option of this server: --help lists them.\n"
        process.waitFor() shouldBe 2
    }

    @Test
    fun `help names every option`() {
        val said = start("--help").inputReader().readText()
        listOf("--host", "--port", "--parent-stdin").forEach { said shouldContain it }
    }

    private fun start(vararg args: String): Process {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        return ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "clientlab.jetty.JettyMainKt", *args).start()
    }
}
