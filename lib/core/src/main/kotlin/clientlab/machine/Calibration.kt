package clientlab.machine

import clientlab.*
import kotlinx.serialization.Serializable
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.locks.LockSupport
import kotlin.concurrent.thread

/**
 * The accuracy of this machine's timers and loopback while nothing of ours runs: the lower bound of every latency measured on it.
 *
 * @property timerOvershootP50Us by how much a sleep of 1 ms was too long, the median of [TIMERS] sleeps; [timerOvershootP99Us] its 99th
 *   percentile. In microseconds, by nearest rank.
 * @property loopbackRoundTripP50Us the time for one byte there and back over TCP on loopback, the median of [TRIPS] after as many to warm
 *   up; [loopbackRoundTripP99Us] its 99th percentile.
 */
@Serializable
public data class Calibration(
    val timerOvershootP50Us: Double,
    val timerOvershootP99Us: Double,
    val loopbackRoundTripP50Us: Double,
    val loopbackRoundTripP99Us: Double,
) {
    public companion object {
        public const val TIMERS: Int = 200
        public const val TRIPS: Int = 500

        /** Measures both, in about a third of a second on a quiet machine. Blocks; an interrupt only shortens its sleeps. */
        public fun measure(): Calibration {
            val timers = overshoots()
            val trips = roundTrips()
            return Calibration(
                timerOvershootP50Us = nearestRank(timers, HALF) / NS_PER_US,
                timerOvershootP99Us = nearestRank(timers, MOST) / NS_PER_US,
                loopbackRoundTripP50Us = nearestRank(trips, HALF) / NS_PER_US,
                loopbackRoundTripP99Us = nearestRank(trips, MOST) / NS_PER_US,
            )
        }

        /** The 99th percentile of how late [TIMERS] sleeps of 1 ms are, in nanoseconds; measured in about a quarter of a second. */
        internal fun timerOvershootNanos(): Long = nearestRank(overshoots(), MOST).toLong()

        private fun overshoots(): DoubleArray {
            repeat(WARM_UP) { LockSupport.parkNanos(ASKED_NS) }
            val over = DoubleArray(TIMERS) {
                val began = System.nanoTime()
                LockSupport.parkNanos(ASKED_NS)
                (System.nanoTime() - began - ASKED_NS).coerceAtLeast(0).toDouble()
            }
            return over.apply { sort() }
        }

        private fun roundTrips(): DoubleArray {
            val loopback = InetAddress.getLoopbackAddress()
            ServerSocket(0, 1, loopback).use { server ->
                val other = thread(isDaemon = true, name = "lab-calibration-echo") { runCatching { server.accept().use(::echo) } }
                val trips = Socket(loopback, server.localPort).use { socket ->
                    socket.tcpNoDelay = true
                    val (out, back) = socket.getOutputStream() to socket.getInputStream()

                    fun trip(): Double {
                        val began = System.nanoTime()
                        out.write(1)
                        back.read()
                        return (System.nanoTime() - began).toDouble()
                    }
                    repeat(TRIPS) { trip() }
                    DoubleArray(TRIPS) { trip() }
                }
                other.join()
                return trips.apply { sort() }
            }
        }

        private fun echo(socket: Socket) {
            socket.tcpNoDelay = true
            val (out, asked) = socket.getOutputStream() to socket.getInputStream()
            while (true) {
                val byte = asked.read()
                if (byte < 0) return
                out.write(byte)
            }
        }

        private const val ASKED_NS = 1_000_000L
        private const val WARM_UP = 20
        private const val NS_PER_US = 1000.0
        private const val HALF = 0.5
        private const val MOST = 0.99
    }
}
