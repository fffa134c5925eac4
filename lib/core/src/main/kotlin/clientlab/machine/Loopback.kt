package clientlab.machine

import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import kotlin.concurrent.thread

/** An echo of single bytes over TCP on loopback, between this thread and another one of this process. */
internal object Loopback {
    /** How many nanoseconds each of [trips] round trips took, after [warmUp] that are not counted. */
    fun roundTrips(trips: Int, warmUp: Int): DoubleArray =
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { server ->
            val other = thread(isDaemon = true, name = "lab-calibration-echo") { runCatching { server.accept().use(::echo) } }
            val taken = Socket(server.inetAddress, server.localPort).use { socket ->
                socket.tcpNoDelay = true
                val (out, back) = socket.getOutputStream() to socket.getInputStream()
                val trip = {
                    out.write(1)
                    back.read()
                }
                repeat(warmUp) { trip() }
                DoubleArray(trips) { nanosOf { trip() } }
            }
            other.join()
            taken
        }

    private fun echo(socket: Socket) {
        socket.tcpNoDelay = true
        socket.getInputStream().transferTo(socket.getOutputStream())
    }
}

/**
 * An echo of single bytes over TCP on loopback, both ends in this thread: the work of the kernel, without the time that waking another
 * thread takes. That time depends on how deeply the processors sleep, and moves by tens of percent on a machine whose pace is even.
 */
internal object OneThreadEcho {
    /** How many nanoseconds each of [trips] round trips took, after [warmUp] that are not counted. */
    fun roundTrips(trips: Int, warmUp: Int): DoubleArray =
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { server ->
            Socket(server.inetAddress, server.localPort).use { near ->
                server.accept().use { far ->
                    listOf(near, far).forEach { it.tcpNoDelay = true }
                    val trip = {
                        pass(near, far)
                        pass(far, near)
                    }
                    repeat(warmUp) { trip() }
                    DoubleArray(trips) { nanosOf { trip() } }
                }
            }
        }

    private fun pass(from: Socket, to: Socket) {
        from.getOutputStream().write(1)
        to.getInputStream().read()
    }
}

internal inline fun nanosOf(work: () -> Unit): Double {
    val began = System.nanoTime()
    work()
    return (System.nanoTime() - began).toDouble()
}
