package clientlab.notebook.fork

import clientlab.LabJson
import clientlab.notebook.LabException
import clientlab.notebook.LabHome
import clientlab.probe.ServerAddress
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.decodeFromJsonElement
import kotlin.io.path.exists
import kotlin.time.Duration.Companion.seconds

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
        private val PATIENCE = 20.seconds
        private val OPTIONS = listOf("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m", "-XX:-UsePerfData")

        val jar get() = LabHome.root.resolve("server/delay/target/delay-server.jar")

        /** Starts one and waits until it is ready. */
        fun start(): ServerProcess {
            if (!jar.exists()) throw LabException("The delay server has not been built: run ./lab run once, which builds it.")
            val child = ChildProcess(listOf(TrialJvm.java.toString()) + OPTIONS + listOf("-jar", jar.toString(), "--parent-stdin"))
            try {
                val ready = child.nextLine(PATIENCE)?.let { LabJson.decodeFromString<JsonObject>(it) }
                if (ready == null) {
                    child.awaitEnd(1.seconds)
                    throw LabException("The delay server did not start: ${child.lastWords().lastOrNull() ?: "it said nothing"}")
                }
                val properties = ready.filterValues { it is JsonPrimitive }.mapValues { (_, value) -> (value as JsonPrimitive).content }
                return ServerProcess(child, LabJson.decodeFromJsonElement(ready), properties)
            } catch (e: Throwable) {
                child.close()
                throw e
            }
        }
    }
}
