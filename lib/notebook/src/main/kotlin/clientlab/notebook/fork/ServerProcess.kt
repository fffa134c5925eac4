package clientlab.notebook.fork

import clientlab.LabJson
import clientlab.notebook.LabHome
import clientlab.probe.ServerAddress
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.decodeFromJsonElement
import java.nio.file.Path

/** A delay server of our own, in a process of its own, on free ports of the loopback interface. */
internal class ServerProcess private constructor(
    private val child: ChildProcess,
    val address: ServerAddress,
    val properties: Map<String, String>,
) : AutoCloseable {
    val alive: Boolean get() = child.alive
    val pid: Long get() = child.pid

    override fun close(): Unit = child.close()

    companion object {
        private val OPTIONS = listOf("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m", "-XX:-UsePerfData")

        private val JAR = Path.of("server/delay/target/delay-server.jar")
        val jar: Path get() = LabHome.root.resolve(JAR)

        /** Starts one and waits until it is ready. */
        fun start(): ServerProcess {
            val (child, ready) = startServer("the delay server", JAR, OPTIONS, listOf("--tls-port", "0"))
            // A manifest is published, and a token is nobody's business; a certificate is another one at every start.
            val told = ready.filterKeys { it != "token" && it != "certificate" }.filterValues { it is JsonPrimitive && it !is JsonNull }
            val properties = told.mapValues { (_, value) -> (value as JsonPrimitive).content }
            return ServerProcess(child, LabJson.decodeFromJsonElement(ready), properties)
        }
    }
}
