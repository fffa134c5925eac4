package clientlab.transfer

import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.runBlocking
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource
import kotlin.time.measureTimedValue

/**
 * Files and sockets: the timed iterations, then a pass that checks.
 *
 * The timed iterations compare lengths alone. The pass after them computes checksums at both ends, and lasts long enough for the probes,
 * which would disturb the timed ones, to see the threads.
 */
internal class LocalTransfers(
    private val operation: Operation,
    private val bytes: Long,
    private val workload: Transfer,
) {
    fun measure(api: IoApiEntry): TransferResult =
        TransferGround(operation, bytes, workload.fault).use { ground ->
            val threads = threadsNow()
            api.open(ground.task).use { mover ->
                val peerBefore = ground.sink?.cpuSeconds ?: 0.0
                val iterations =
                    Iterations.run<Long?>(workload.iterations, { wrongLength(bytes, it) }) {
                        ground.prepare()
                        val tally = Tally()
                        val (moved, took) = measureTimedValue { runBlocking { mover.move(tally) } }
                        lengthOf(ground, tally, moved) to (moved.tookNanos ?: took.inWholeNanoseconds)
                    }
                val peer = (ground.sink?.cpuSeconds ?: 0.0) - peerBefore
                val metrics =
                    iterations.metrics(bytes, api.info.ownJvm) +
                        if (ground.sink != null) iterations.peerMetrics(bytes, peer) else emptyMap()
                val checked = if (iterations.broken == null) check(ground, mover, threads, api.info.ownJvm) else null
                TransferResult(
                    numbers = metrics + checked?.second.orEmpty(),
                    reasons = listOfNotNull(iterations.broken, checked?.first),
                    curves = mapOf("iterationMs" to iterations.curve()),
                )
            }
        }

    private fun lengthOf(ground: TransferGround, tally: Tally, moved: Moved): Long? =
        when (operation) {
            Operation.FileRead -> moved.receipt?.bytes ?: tally.bytes
            Operation.FileWrite -> ground.fileSize()
            else -> moved.receipt?.bytes
        }

    private fun check(ground: TransferGround, mover: Mover, threadsBefore: Int, ownJvm: Boolean): Pair<String?, Numbers> {
        ground.sink?.check()
        ThreadFollower(FOLLOWING).use { follower ->
            FileThreads(Thread.currentThread()).use { files ->
                val began = TimeSource.Monotonic.markNow()
                var wrong: String? = null
                do {
                    ground.prepare()
                    val tally = Tally(checksum = true)
                    val failure =
                        try {
                            val moved = runBlocking { mover.move(tally) }
                            val found = checksumOf(ground, tally, moved)
                            wrongLength(bytes, lengthOf(ground, tally, moved)) ?: wrongChecksum(ground.checksum, found)
                        } catch (e: Exception) {
                            "It broke off: ${said(e)}"
                        }
                    wrong = failure?.let { "The pass that checks: $it" }
                } while (wrong == null && began.elapsedNow() < WATCHED)
                follower.stop()
                val metrics =
                    mapOf(
                        CommonMetrics.threadsPeak to follower.peak.toDouble(),
                        TransferMetrics.threadsAdded to (follower.peak - threadsBefore).coerceAtLeast(0).toDouble(),
                        TransferMetrics.fileThreads to files.all.toDouble(),
                        TransferMetrics.fileThreadsBehind to files.behind.toDouble(),
                    )
                return wrong to if (ownJvm) emptyMap() else metrics
            }
        }
    }

    private fun checksumOf(ground: TransferGround, tally: Tally, moved: Moved): Long? =
        when (operation) {
            // A plain loop computes no checksum.
            Operation.FileRead -> if (moved.receipt == null) tally.value else null

            Operation.FileWrite -> ground.fileChecksum()

            else -> moved.receipt?.checksum
        }

    private companion object {
        private val FOLLOWING = 5.milliseconds
        private val WATCHED = 100.milliseconds
    }
}
