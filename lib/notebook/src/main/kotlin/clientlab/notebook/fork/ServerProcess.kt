package clientlab.notebook.fork

import clientlab.*
import clientlab.child.*
import clientlab.notebook.home.*
import clientlab.probe.*
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.decodeFromJsonElement
import java.nio.file.Path

/** The delay server of a run: its address, its properties for the manifest, and whether it still runs. */
internal interface TrialServer : AutoCloseable {
    val address: ServerAddress
    val properties: Map<String, String>
    val alive: Boolean

    /** Its process, if this run started it; null for a server that is not ours to change. */
    val pid: Long?

    /** A replacement if it is no longer [alive]. Throws an [java.io.IOException] if there is none. */
    fun again(): TrialServer

    /** The manifest's note about the replacement, without the number of the trial. */
    val gone: String
}

/** A delay server of our own, in a process of its own, on free ports of the loopback interface. */
internal class ServerProcess private constructor(
    private val child: ChildProcess,
    override val address: ServerAddress,
    override val properties: Map<String, String>,
    private val protocols: Set<Protocol>,
) : TrialServer {
    override val alive: Boolean get() = child.alive
    override val gone: String get() = "The delay server had ended and was started again"
    override val pid: Long get() = child.pid

    override fun again(): ServerProcess = start(protocols)

    override fun close(): Unit = child.close()

    companion object {
        /** The option files of every delay server. A server that stays (`./lab serve`) also uses `jvm-stays.options`. */
        val optionFiles: List<Path>
            get() = serverOptionFiles.map { LabHome.root.resolve("server/delay").resolve(it) }

        /** Enough hosts to see a limit of 1,000 in all with a limit of 100 per host. */
        private const val HOSTS = "20"
        private const val JAR = "server/delay/target/delay-server.jar"
        val jar: Path get() = LabHome.root.resolve(JAR)

        /**
         * Starts a server for all [protocols] at once, and waits until it is ready. It accepts offers of HTTP/2 in cleartext only if h2c is
         * requested, because some clients always offer it and would otherwise use it in every trial.
         */
        fun start(protocols: Set<Protocol> = setOf(Protocol.Http1)): ServerProcess {
            val upgrade = Protocol.H2c in protocols
            val http3 = if (Protocol.Http3 in protocols) listOf("--http3-port", "0") else emptyList()
            val arguments = listOfNotNull("--tls-port", "0", "--hosts", HOSTS, "--upgrade".takeIf { upgrade }) + http3
            val (child, ready) = startServer("The delay server", builtJar("The delay server", JAR), optionFiles.map { "@$it" }, arguments)
            // The manifest is published, so it must not have the token. The certificate changes at every start.
            val told = (ready - setOf("token", "certificate")).filterValues { it is JsonPrimitive && it !is JsonNull }
            val properties = told.mapValues { (_, value) -> (value as JsonPrimitive).content }
            val all = if (upgrade) properties + ("upgrade" to "taken") else properties
            return ServerProcess(child, LabJson.decodeFromJsonElement(ready), all, protocols)
        }
    }
}
