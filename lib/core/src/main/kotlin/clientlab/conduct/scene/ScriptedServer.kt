package clientlab.conduct.scene

import clientlab.*
import clientlab.probe.*
import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.URI
import java.util.concurrent.Executors
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.atomic.AtomicInteger
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLServerSocket
import kotlin.time.Duration

/** Something that the server saw, and when: nanoseconds of `System.nanoTime()`. */
internal class Seen(val connection: Int, val atNanos: Long, val what: What) {
    sealed interface What {
        /** What the client did on [connection]. */
        fun words(connection: Int): String

        data object Connect : What {
            override fun words(connection: Int) = "opens connection $connection"
        }

        /** The client answered a PING. */
        data object Pong : What {
            override fun words(connection: Int) = "answers the PING on connection $connection"
        }

        /** The client ended one stream of a connection in HTTP/2. */
        class StreamReset(val stream: Int) : What {
            override fun words(connection: Int) = "resets stream $stream on connection $connection"
        }

        class Request(val request: Received) : What {
            override fun words(connection: Int) = "sends ${request.method} ${request.target} on connection $connection"
        }

        /** The client ended the connection: it `closes` or `resets` it. */
        class End(val how: String) : What {
            override fun words(connection: Int) = "$how connection $connection"
        }
    }
}

/**
 * The server of one situation. Each connection runs [script] on a thread of the harness; when the script ends, the server waits for the
 * client's end. It is in the client's JVM, so that both have one clock. Over [tls] it speaks [alpn] alone, if that is given. Its usual answer
 * has the body [usual].
 */
internal class ScriptedServer(
    private val events: Events,
    private val address: InetAddress,
    atPort: Int,
    private val tls: SSLContext?,
    alpn: String? = null,
    private val usual: String = "ok",
    private val script: Connection.() -> Unit,
) : AutoCloseable {
    private val listener =
        (tls?.serverSocketFactory?.createServerSocket(atPort, BACKLOG, address) ?: ServerSocket(atPort, BACKLOG, address))
            .also { if (alpn != null) (it as SSLServerSocket).speak(alpn) }
    private val threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().name("${ThreadOwners.HARNESS_PREFIX}scripted-", 0).factory())
    private val lock = Object()
    private val log = ArrayList<Seen>()
    private val sockets = ArrayList<Socket>()
    private val connectionsEver = AtomicInteger()

    val port: Int get() = listener.localPort

    val url: URI = URI("${if (tls == null) "http" else "https"}://${address.hostAddress}:$port")

    init {
        threads.execute {
            unlessEnded {
                while (true) accept(listener.accept())
            }
        }
    }

    private fun accept(socket: Socket) {
        val number = connectionsEver.incrementAndGet()
        synchronized(lock) { sockets += socket }
        note(number, Seen.What.Connect)
        threads.execute {
            unlessEnded {
                socket.use {
                    it.tcpNoDelay = true
                    Connection(number, it, events, usual) { what -> note(number, what) }.run {
                        script()
                        awaitEnd()
                    }
                }
            }
        }
    }

    /** What it has seen so far. */
    val seen: List<Seen> get() = synchronized(lock) { log.toList() }

    val connections: Int get() = seen.count { it.what is Seen.What.Connect }

    /** The requests so far, with the number of the connection of each. */
    val requests: List<Pair<Int, Received>>
        get() = seen.mapNotNull { seen -> (seen.what as? Seen.What.Request)?.let { seen.connection to it.request } }

    /** The first thing for which [holds], or null if it does not come [within] that time. */
    fun await(within: Duration = PATIENCE, holds: (Seen) -> Boolean): Seen? {
        val until = System.nanoTime() + within.inWholeNanoseconds
        synchronized(lock) {
            while (true) {
                log.firstOrNull(holds)?.let { return it }
                val left = (until - System.nanoTime()) / NANOS_PER_MILLI
                if (left <= 0) return null
                lock.wait(left)
            }
        }
    }

    /** The end of [connection] by the client, or null if it does not come [within] that time. */
    fun awaitEnd(connection: Int = 1, within: Duration = SOON): Seen? =
        await(within) { it.connection == connection && it.what is Seen.What.End }

    /** Whether [number] requests come [within] that time. */
    fun awaitRequests(number: Int, within: Duration = PATIENCE): Boolean {
        await(within) { requests.size >= number }
        return requests.size >= number
    }

    private fun note(connection: Int, what: Seen.What) {
        events.note(Event.Who.Client, what.words(connection))
        synchronized(lock) {
            log += Seen(connection, System.nanoTime(), what)
            lock.notifyAll()
        }
    }

    private fun unlessEnded(work: () -> Unit): Unit =
        try {
            work()
        } catch (_: IOException) {
            // One of the two ends has closed.
        } catch (_: InterruptedException) {
            // The scene is over.
        } catch (_: RejectedExecutionException) {
            // The scene is over, and a client connects late.
        }

    override fun close() {
        listener.close()
        synchronized(lock) { sockets.toList() }.forEach { it.close() }
        threads.shutdownNow()
    }

    private fun SSLServerSocket.speak(protocol: String) {
        sslParameters = sslParameters.apply { applicationProtocols = arrayOf(protocol) }
    }

    private companion object {
        const val BACKLOG = 64
        const val NANOS_PER_MILLI = 1_000_000L
    }
}
