package clientlab.wire

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import java.io.ByteArrayOutputStream
import java.io.InputStream
import java.io.PipedInputStream
import java.io.PipedOutputStream
import java.io.PrintStream
import java.net.Socket
import kotlin.concurrent.thread

class WireMainTest {
    private val out = ByteArrayOutputStream()
    private val err = ByteArrayOutputStream()

    private fun run(vararg args: String, input: InputStream = InputStream.nullInputStream()): Int =
        relay(arrayOf(*args), input, PrintStream(out), PrintStream(err))

    @ParameterizedTest
    @CsvSource(
        "'', 'The relay needs a server: give --to HOST:PORT'",
        "'--to here', 'The relay needs a server'",
        "'--to 127.0.0.1:70000', \"--to '70000' is no port\"",
        "'--to 127.0.0.1:1 --port', '--port needs a value.'",
        "'--too 1', \"'--too' is not an option of the relay\"",
        quoteCharacter = '\'',
    )
    fun `a wrong command line gets one sentence`(line: String, sentence: String) {
        run(*line.split(' ').filter { it.isNotEmpty() }.toTypedArray()) shouldBe 2
        err.toString() shouldContain sentence.trim('"')
        err.toString().trim().lines().size shouldBe 1
    }

    @Test
    fun `help is printed`() {
        run("--help") shouldBe 0
        out.toString() shouldContain "--to <host:port>"
    }

    @Test
    fun `it says where it listens, and ends with its parent`() {
        EchoServer().use { server ->
            val input = PipedInputStream()
            val parent = PipedOutputStream(input)
            val running = thread { run("--to", "127.0.0.1:${server.address.port}", "--parent-stdin", input = input) }
            while (!out.toString().endsWith("\n")) Thread.sleep(5)
            val ready = WIRE_JSON.decodeFromString<Ready>(out.toString())
            Socket(ready.host, ready.port).use {
                it.getOutputStream().write(7)
                it.getInputStream().read() shouldBe 7
            }
            parent.close()
            running.join(10_000)
            running.isAlive shouldBe false
        }
    }
}
