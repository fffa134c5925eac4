package clientlab.junit

import clientlab.*
import clientlab.attach.*
import clientlab.child.*
import clientlab.probe.*
import kotlinx.serialization.json.decodeFromJsonElement
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createTempDirectory

/** The programs inside this library's jar: the delay server, the network before it, and the agent. They lie in a temporary folder while the JVM runs. */
internal class Programs {
    private val folder: Path = createTempDirectory("client-lab").also { it.toFile().deleteOnExit() }

    /** The network before the server. Its processes end with this one. */
    val wires: Wires = Wires { program("wire.jar") }

    /** The agent, which looks at this JVM. */
    val agent: RunningJvm by lazy { RunningJvm(program("agent.jar")) }

    /** Starts the delay server, which ends with this process. */
    fun startServer(): ServerAddress {
        val options = serverOptionFiles.map { "@${program(it)}" }
        val (_, ready) = startServer("The delay server", program("delay-server.jar"), options)
        return LabJson.decodeFromJsonElement(ready)
    }

    private fun program(name: String): Path {
        val file = folder.resolve(name)
        if (Files.notExists(file)) {
            val inside = Programs::class.java.getResourceAsStream(name)
            refuseUnless(inside != null) { "The jar of client-lab-junit has no $name: build it with ./lab install." }
            inside.use { Files.copy(it!!, file) }
            file.toFile().deleteOnExit()
        }
        return file
    }
}
