package clientlab.notebook.fork

import kotlinx.serialization.json.jsonPrimitive
import java.nio.file.Path

/** Ktor on Jetty, the server of source 004, in a process of its own on a free port of the loopback interface. */
internal class JettyProcess private constructor(private val child: ChildProcess, override val address: String) : PeerProcess {
    override val alive: Boolean get() = child.alive

    override fun close(): Unit = child.close()

    companion object {
        private val JAR = Path.of("server/jetty/target/jetty-server.jar")

        /** The source's options alone, apart from a fixed heap, so that it does not depend on the machine. */
        private val OPTIONS = listOf("-Xmx512m", "-XX:-UsePerfData")

        /** Starts one and waits until it is ready. */
        fun start(): JettyProcess {
            val (child, ready) = startServer("the Jetty server", JAR, OPTIONS)
            return JettyProcess(
                child,
                "http://${ready.getValue("host").jsonPrimitive.content}:${ready.getValue("port").jsonPrimitive.content}",
            )
        }
    }
}
