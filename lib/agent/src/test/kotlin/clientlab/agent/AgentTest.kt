package clientlab.agent

import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.lang.module.ModuleFinder
import java.net.ServerSocket
import java.net.Socket
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.io.path.exists
import kotlin.io.path.readText

/** The agent in a service that is no part of the lab: `sample.Shop`, which has forgotten a limit of 37. */
class AgentTest(
    @param:TempDir private val folder: Path,
) {
    private val java = Path.of(System.getProperty("java.home"), "bin/java").toString()
    private val jar = Path.of(System.getProperty("lab.root"), "lib/agent/target/agent.jar")

    @Test
    fun `the forgotten limit is found from outside, with what is taken, what waits, and who owns it`() {
        assumeTrue(jar.exists(), "The agent is not packaged yet: mvn package makes it.")
        assumeTrue(ModuleFinder.ofSystem().find("jdk.attach").isPresent, "This Java has no attach mechanism.")
        ServerSocket(0, BACKLOG).use { silent ->
            val taken = mutableListOf<Socket>()
            thread(isDaemon = true) { runCatching { while (true) taken += silent.accept() } }
            val port = ServerSocket(0).use { it.localPort }
            val command =
                listOf(
                    java,
                    "-Xmx128m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "sample.ShopKt",
                    "$port",
                    "http://127.0.0.1:${silent.localPort}",
                )
            val shop = ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve("shop.log").toFile()).start()
            val callers = mutableListOf<Socket>()
            try {
                repeat(CALLERS) { callers += called(port, it) }
                waitUntil { taken.size == LIMIT }
                val to = folder.resolve("seen.json")
                val full = """"setting":"maxRequestsPerHost","limit":37,"used":37,"waiting":23,"path":"sample.Prices > Prices.client > """
                load(shop.pid(), "$to")
                to.readText() shouldContain full
                // The shop has virtual threads that wait in a method of its own.
                to.readText() shouldContain
                    Regex(""""frames":\["java.lang.VirtualThread.park"[^]]*"sample.Parked.await"[^]]*],"virtual":true,"count":50""")
                // A second look is at what the first one found.
                load(shop.pid(), "again $to")
                to.readText() shouldContain full
                to.readText() shouldNotContain "libraries"
            } finally {
                (callers + taken).forEach { it.close() }
                shop.destroyForcibly().waitFor(1, TimeUnit.MINUTES)
            }
        }
    }

    /** The program in the agent's jar loads it. */
    private fun load(pid: Long, options: String) {
        val loader = ProcessBuilder(java, "-jar", "$jar", "$pid", options).inheritIO().start()
        check(loader.waitFor(1, TimeUnit.MINUTES) && loader.exitValue() == 0) { "The agent was not loaded: see above." }
    }

    /** A caller of the shop, as soon as the shop listens. */
    private fun called(port: Int, article: Int): Socket {
        var open: Socket? = null
        waitUntil { runCatching { Socket("127.0.0.1", port) }.onSuccess { open = it }.isSuccess }
        return open!!.apply { outputStream.write("GET /price/$article HTTP/1.1\r\nHost: shop\r\n\r\n".encodeToByteArray()) }
    }

    private fun waitUntil(holds: () -> Boolean) {
        val end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1)
        while (!holds()) {
            check(System.nanoTime() < end) { "It did not happen within a minute." }
            Thread.sleep(PAUSE_MS)
        }
    }

    private companion object {
        const val CALLERS = 60
        const val LIMIT = 37
        const val BACKLOG = 100
        const val PAUSE_MS = 20L
    }
}
