package clientlab.ioapi

import clientlab.client.*
import clientlab.transfer.*
import io.ktor.network.selector.SelectorManager
import io.ktor.network.sockets.Socket
import io.ktor.network.sockets.aSocket
import io.ktor.network.sockets.openReadChannel
import io.ktor.network.sockets.openWriteChannel
import io.ktor.util.cio.readChannel
import io.ktor.util.cio.writeChannel
import io.ktor.utils.io.ByteWriteChannel
import io.ktor.utils.io.copyTo
import io.ktor.utils.io.readAvailable
import io.ktor.utils.io.readFully
import io.ktor.utils.io.writeFully
import kotlinx.coroutines.Dispatchers

/**
 * [Ktor's file channels](https://api.ktor.io/ktor-utils/io.ktor.util.cio/read-channel.html) and
 * [raw sockets](https://ktor.io/docs/server-sockets.html) with their defaults. Source 001 measured them in a version of its day.
 */
internal object KtorApi {
    val entry =
        IoApiEntry(
            IoApiInfo(
                "ktor",
                "Ktor",
                "io.ktor:ktor-network-jvm",
                "File.readChannel and writeChannel, read into an array of 64 KiB; aSocket with a selector on Dispatchers.IO; file to " +
                    "socket by copyTo",
                listOf(Operation.FileRead, Operation.FileWrite, Operation.Pipeline) + ON_SOCKETS,
            ),
            ::open,
        )

    private fun open(task: MoveTask): Mover =
        when (task.operation) {
            Operation.FileRead -> {
                mover { tally ->
                    val channel = task.path.toFile().readChannel()
                    val chunk = ByteArray(Content.BLOCK)
                    while (true) {
                        val length = channel.readAvailable(chunk)
                        if (length < 0) break
                        tally.add(chunk, length)
                    }
                    Moved.Done
                }
            }

            Operation.FileWrite -> {
                mover {
                    val channel = task.path.toFile().writeChannel()
                    task.inPieces { channel.writeFully(task.content, 0, it) }
                    channel.flushAndClose()
                    Moved.Done
                }
            }

            Operation.Pipeline -> {
                mover(KtorSocket(task)) {
                    receiptAfter {
                        task.path
                            .toFile()
                            .readChannel()
                            .copyTo(it, task.bytes)
                    }
                }
            }

            else -> {
                mover(KtorSocket(task)) { receiptAfter { output -> task.inPieces { output.writeFully(task.content, 0, it) } } }
            }
        }

    /** One selector for all connections of this JVM, as programs have it. */
    val selector: SelectorManager by lazy { SelectorManager(Dispatchers.IO) }
}

private class KtorSocket(task: MoveTask) : AutoCloseable {
    private val socket: Socket = blocking { aSocket(KtorApi.selector).tcp().connect(task.address.hostString, task.address.port) }
    private val output = socket.openWriteChannel(autoFlush = false)
    private val input = socket.openReadChannel()
    private val answer = ByteArray(Receipt.SIZE)

    suspend fun receiptAfter(sending: suspend (ByteWriteChannel) -> Unit): Moved {
        sending(output)
        output.flush()
        input.readFully(answer)
        return Moved(Receipt.of(answer))
    }

    override fun close() = socket.close()
}
