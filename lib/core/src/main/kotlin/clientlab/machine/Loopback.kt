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

internal inline fun nanosOf(work: () -> Unit): Double {
    val began = System.nanoTime()
    work()
    return (System.nanoTime() - began).toDouble()
}
