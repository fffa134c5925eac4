package clientlab.transfer

import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.runBlocking
import kotlin.time.measureTimedValue

/** Files and sockets: the timed iterations, which compare lengths alone, then a pass that compares checksums of both ends. */
internal class LocalTransfers(private val operation: Operation, private val bytes: Long, private val workload: Transfer) {
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
                val peer = ground.sink?.let { it.cpuSeconds - peerBefore }
                val (wrong, found) = check(ground, mover, iterations, threads)
                val numbers = iterations.metrics(bytes, api.info.ownJvm, peer) + if (api.info.ownJvm) emptyMap() else found
                TransferResult(numbers, listOfNotNull(wrong), curves = mapOf("iterationMs" to iterations.curve()))
            }
        }

    private fun lengthOf(ground: TransferGround, tally: Tally, moved: Moved): Long? =
        when (operation) {
            Operation.FileRead -> moved.receipt?.bytes ?: tally.bytes
            Operation.FileWrite -> ground.fileSize()
            else -> moved.receipt?.bytes
        }

    private fun check(ground: TransferGround, mover: Mover, iterations: Iterations, threadsBefore: Int): Pair<String?, Numbers> {
        if (iterations.broken != null) return iterations.broken to emptyMap()
        ground.sink?.check()
        FileThreads(Thread.currentThread()).use { files ->
            val (wrong, numbers) =
                checkedPass(iterations, threadsBefore) {
                    ground.prepare()
                    val tally = Tally(checksum = true)
                    val moved = runBlocking { mover.move(tally) }
                    val found = checksumOf(ground, tally, moved)
                    wrongLength(bytes, lengthOf(ground, tally, moved)) ?: wrongChecksum(ground.checksum, found)
                }
            val all = TransferMetrics.fileThreads to files.all.toDouble()
            return wrong to numbers + all + (TransferMetrics.fileThreadsBehind to files.behind.toDouble())
        }
    }

    private fun checksumOf(ground: TransferGround, tally: Tally, moved: Moved): Long? =
        when (operation) {
            // A plain loop computes no checksum.
            Operation.FileRead -> if (moved.receipt == null) tally.value else null

            Operation.FileWrite -> ground.fileChecksum()

            else -> moved.receipt?.checksum
        }
}
