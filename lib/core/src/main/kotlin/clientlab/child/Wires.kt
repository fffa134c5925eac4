package clientlab.child

import clientlab.*
import clientlab.probe.*
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonPrimitive
import java.nio.file.Path

/**
 * Networks before delay servers: a relay for each of their ports, started when it is first asked for; [jar] is what it is in. The control
 * port of a server stays without a relay, so that evidence is not delayed.
 */
public class Wires(private val jar: () -> Path) : AutoCloseable {
    private class Relay(val process: ChildProcess, val port: Int, val control: RelayControl)

    private val relays = mutableMapOf<Int, Relay>()

    /** The processes of the relays that run. */
    public val pids: List<Long> get() = relays.values.filter { it.process.alive }.map { it.process.pid }

    /** Where [server] is found through [wire]: the server itself if it is direct. A relay leads to its first host alone. */
    public fun through(wire: Wire, server: ServerAddress): ServerAddress {
        if (wire == Wire.direct) return server
        val plain = relay(server, server.port, wire)
        val tls = server.tlsPort?.let { relay(server, it, wire) }
        val http3 = server.http3Port?.let { relay(server, it, wire, udp = true) }
        return server.copy(
            port = plain.port,
            tlsPort = tls?.port,
            http3Port = http3?.port,
            hosts = 1,
            relayControlPort = plain.control.port,
        )
    }

    private fun relay(server: ServerAddress, port: Int, wire: Wire, udp: Boolean = false): Relay {
        // A port of UDP may have the number of one of TCP.
        val key = if (udp) -port else port
        val known = relays[key]?.takeIf { it.process.alive }
        return (known ?: start(server.host, port, udp).also { relays[key] = it }).also { it.control.set(wire) }
    }

    private fun start(host: String, port: Int, udp: Boolean): Relay {
        val arguments = listOfNotNull("--to", "$host:$port", "--host", host, "--udp".takeIf { udp })
        val (child, ready) = startServer(
            "The wire",
            jar(),
            OPTIONS + UNSAFE.filter { Runtime.version().feature() >= UNSAFE_OPTION },
            arguments,
        )
        val (own, control) = listOf("port", "controlPort").map { ready.getValue(it).jsonPrimitive.int }
        return Relay(child, own, RelayControl(control))
    }

    override fun close(): Unit = relays.values.forEach { it.process.close() }

    private companion object {
        // `lab bench wire` measures a relay with the same options.
        val OPTIONS = listOf("-Xmx256m", "-XX:+UseSerialGC", "-XX:-UsePerfData")
        val UNSAFE = listOf("--sun-misc-unsafe-memory-access=allow", "-Dio.netty.noUnsafe=false")
    }
}
