package clientlab.notebook.fork

import clientlab.LabJson
import clientlab.Protocol
import clientlab.notebook.home.LabHome
import clientlab.probe.ServerAddress
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.decodeFromJsonElement
import java.nio.file.Path

/** The delay server of a run: where it is, what it says of itself, and whether it is there still. */
internal interface TrialServer : AutoCloseable {
    val address: ServerAddress

    /** What the manifest keeps of it. */
    val properties: Map<String, String>
    val alive: Boolean

    /** Another in its place, where it is not [alive] any more; throws an [java.io.IOException] where there is none to be had. */
    fun again(): TrialServer

    /** What the manifest's notes say of that, before the number of the trial. */
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
    val pid: Long get() = child.pid

    override fun again(): ServerProcess = start(protocols)

    override fun close(): Unit = child.close()

    companion object {
        /** The files that every delay server is started with; one that stays, as `./lab serve` starts it, has `jvm-stays.options` too. */
        val optionFiles: List<Path>
            get() = listOfNotNull("jvm.options", "jvm-24.options".takeIf { Runtime.version().feature() >= UNSAFE_OPTION })
                .map { LabHome.root.resolve("server/delay").resolve(it) }

        /** From this Java on Netty has to be let use what older ones let it use unasked. */
        private const val UNSAFE_OPTION = 24

        /** Enough for a limit of 100 a host to meet one of 1,000 in all. */
        private const val HOSTS = 20

        private val JAR = Path.of("server/delay/target/delay-server.jar")
        val jar: Path get() = LabHome.root.resolve(JAR)

        /**
         * Starts one and waits until it is ready. It speaks all [protocols] at once.
         *
         * An offer of HTTP/2 in cleartext is taken up where that is asked for alone: some clients make one by habit, and would else
         * speak it unasked.
         */
        fun start(protocols: Set<Protocol> = setOf(Protocol.Http1)): ServerProcess {
            val upgrade = if (Protocol.H2c in protocols) listOf("--upgrade") else emptyList()
            val (child, ready) = startServer(
                "the delay server",
                JAR,
                optionFiles.map { "@$it" },
                listOf("--tls-port", "0", "--hosts", "$HOSTS") + upgrade,
            )
            // A manifest is published, and a token is nobody's business; a certificate is another one at every start.
            val told = ready.filterKeys { it != "token" && it != "certificate" }.filterValues { it is JsonPrimitive && it !is JsonNull }
            val properties = told.mapValues { (_, value) -> (value as JsonPrimitive).content } + upgrade.associate { "upgrade" to "taken" }
            return ServerProcess(child, LabJson.decodeFromJsonElement(ready), properties, protocols)
        }
    }
}
