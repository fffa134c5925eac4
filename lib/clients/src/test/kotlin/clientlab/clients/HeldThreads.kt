package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import java.util.concurrent.locks.LockSupport
import kotlin.concurrent.thread

/** Counts again and again, until it is closed, the platform threads that are each held by one request, and keeps the largest count. */
internal class HeldThreads(info: ClientInfo) : AutoCloseable {
    private val probe =
        ThreadProbe(ThreadOwners(info.owners)) { frame ->
            frame.startsWith(BlockingSession::class.java.name) || info.callFrames.any { frame.startsWith(it) }
        }
    private val before = probe.baseline()

    @Volatile private var ended = false

    @Volatile var most = 0
        private set
    private val counting =
        thread(name = "${ThreadOwners.HARNESS_PREFIX}held", isDaemon = true) {
            while (!ended) {
                most = maxOf(most, probe.snapshot(before).blocked)
                // Leaves the processors to the requests.
                LockSupport.parkNanos(PAUSE_NS)
            }
        }

    override fun close() {
        ended = true
        counting.join()
    }

    private companion object {
        const val PAUSE_NS = 50_000_000L
    }
}
