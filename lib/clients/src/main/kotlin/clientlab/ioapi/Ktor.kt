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
import io.ktor.utils.io.ByteReadChannel
import io.ktor.utils.io.ByteWriteChannel
import kotlinx.coroutines.Dispatchers

/**
 * [Ktor's file channels](https://api.ktor.io/ktor-utils/io.ktor.util.cio/read-channel.html) and
 * [raw sockets](https://ktor.io/docs/server-sockets.html) with their defaults. Source 001 measured them in a version of its day, and the
 * lab can, too: `ioApis("ktor").versions("1.5.4")`.
 */
internal object KtorApi {
    private const val HOW =
        "File.readChannel and writeChannel, read into an array of 64 KiB; aSocket with a selector on Dispatchers.IO; file to socket by copyTo"
    val entry = IoApiEntry(IoApiInfo("ktor", "Ktor", "io.ktor:ktor-network-jvm", HOW, EVERYWHERE), ::open)

    private fun open(task: MoveTask): Mover = when (task.operation) {
        Operation.FileRead -> mover { tally -> task.reading().let { file -> tally.drain { channels.read(file, it) } } }
        Operation.FileWrite -> mover { task.writeTo(task.path.toFile().writeChannel()).let { channels.end(it) } }
        Operation.Pipeline -> mover(KtorSocket(task)) { receiptAfter { channels.copy(task.reading(), it, task.bytes) } }
        else -> mover(KtorSocket(task)) { receiptAfter { task.writeTo(it) } }
    }

    private fun MoveTask.reading(): ByteReadChannel = path.toFile().readChannel()

    private suspend fun MoveTask.writeTo(channel: ByteWriteChannel): ByteWriteChannel =
        channel.also { inPieces { channels.write(channel, content, it) } }

    /** How this version of Ktor reads and writes. */
    val channels: KtorChannels by lazy { KtorChannels.here() }

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
        KtorApi.channels.flush(output)
        KtorApi.channels.fill(input, answer)
        return Moved(Receipt.of(answer))
    }

    override fun close() = socket.close()
}
