package clientlab.notebook.fork

import clientlab.child.*
import clientlab.probe.*
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.maps.shouldNotBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import java.net.URI
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.minutes

class ServerProcessTest {
    @Test
    fun `a server that has started answers on its control port`() {
        ServerProcess.start().use { server ->
            server.alive shouldBe true
            ServerProbe(server.address).use { it.evidence().arrived shouldBe 0 }
            server.properties.shouldNotBeEmpty()
        }
    }

    @Test
    fun `its address tells a trial where TLS is spoken and what to trust there, and a manifest nothing of that`() {
        ServerProcess.start().use { server ->
            server.address.tlsUrl shouldBe URI("https://127.0.0.1:${server.address.tlsPort}")
            server.address.certificate.shouldNotBeNull() shouldStartWith "-----BEGIN CERTIFICATE-----\n"
            server.properties.keys shouldNotContain "certificate"
        }
    }

    @Test
    fun `a closed server is gone when close returns`() {
        val server = ServerProcess.start()
        server.close()
        server.alive shouldBe false
    }

    @Test
    fun `two servers take ports of their own`() {
        ServerProcess.start().use { one ->
            ServerProcess.start().use { two ->
                listOf(one.address.port, one.address.controlPort, two.address.port, two.address.controlPort).distinct().size shouldBe 4
            }
        }
    }

    @Test
    fun `a server ends when the kernel that started it is killed`() {
        val kernel = ChildProcess(ownJvm(ServerParentRun::class.java.name))
        val server =
            kernel.use {
                val pid = it.nextLine(1.minutes) ?: error("No server: ${it.lastWords()}")
                ProcessHandle.of(pid.toLong()).orElseThrow()
            }
        kernel.alive shouldBe false
        server.onExit().get(2, TimeUnit.MINUTES)
        server.isAlive shouldBe false
    }
}
