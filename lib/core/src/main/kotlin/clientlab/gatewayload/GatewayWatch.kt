package clientlab.gatewayload

import clientlab.probe.*
import kotlin.concurrent.thread
import kotlin.time.Duration

/** A reading of a gateway at [atMs] since the load began. */
internal class GatewayLook(val atMs: Double, val process: ChildReading, val inFlight: Long)

/**
 * What was seen of the gateway's process.
 *
 * @property cpuBefore its processor time just before the load; [cpuAfter] just after it.
 * @property end why it ended and [endedAtMs] when, in milliseconds since the load began; null where it did not.
 */
internal class GatewaySeen(
    val cpuBefore: Double?,
    val cpuAfter: Double?,
    val looks: List<GatewayLook>,
    val end: GatewayEnd?,
    val endedAtMs: Double?,
)

/** Reads the gateway every few milliseconds during the load, and ends it if it exceeds its memory limit. */
internal class GatewayWatch(private val gateway: GatewayProcess, private val server: ServerProbe) {
    private val looks = ArrayList<GatewayLook>()
    private val cpuBefore = gateway.read()?.cpuSeconds
    private val began = System.nanoTime()

    @Volatile private var watching = true

    @Volatile private var endedAtMs: Double? = null
    private val thread = thread(isDaemon = true, name = "${ThreadOwners.HARNESS_PREFIX}gateway", block = ::watch)

    /** Call it as soon as the load has ended. */
    fun finish(): GatewaySeen {
        val cpuAfter = gateway.read()?.cpuSeconds
        watching = false
        thread.join()
        return GatewaySeen(cpuBefore, cpuAfter, looks, gateway.end(), endedAtMs)
    }

    private fun watch() {
        while (watching) {
            val atMs = (System.nanoTime() - began) / 1e6
            val process = gateway.read()
            if (process == null || gateway.overMemory(process.anonBytes)) {
                process?.let { looks += GatewayLook(atMs, it, 0) }
                endedAtMs = atMs
                return
            }
            looks += GatewayLook(atMs, process, server.await(1, Duration.ZERO).inFlight)
            Thread.sleep(BETWEEN_MS)
        }
    }
}

private const val BETWEEN_MS = 25L
