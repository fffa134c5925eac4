package clientlab.gatewayload

import clientlab.probe.*
import kotlin.time.Duration

/** A reading of a gateway at [atMs] since the load began. */
internal class GatewayLook(
    val atMs: Double,
    val process: ChildReading,
    val inFlight: Long,
)

/** Reads the gateway every few milliseconds during the load, and ends it if it exceeds its memory limit. */
internal class GatewayWatch(private val gateway: GatewayProcess, private val server: ServerProbe) : AutoCloseable {
    private val looks = ArrayList<GatewayLook>()
    private val began = System.nanoTime()

    @Volatile private var watching = true
    private val thread =
        Thread
            .ofPlatform()
            .daemon()
            .name("${ThreadOwners.HARNESS_PREFIX}gateway")
            .start(::watch)

    /** When the gateway ended, in milliseconds since the load began, or null. */
    @Volatile var endedAtMs: Double? = null
        private set

    /** Stops and returns the readings. */
    fun finish(): List<GatewayLook> {
        close()
        return looks
    }

    override fun close() {
        watching = false
        thread.join()
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

    private companion object {
        private const val BETWEEN_MS = 25L
    }
}
