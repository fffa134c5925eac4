package clientlab.ioapi

import clientlab.*
import io.ktor.utils.io.ByteReadChannel
import io.ktor.utils.io.ByteWriteChannel
import io.ktor.utils.io.copyTo
import io.ktor.utils.io.readAvailable
import io.ktor.utils.io.readFully
import io.ktor.utils.io.writeFully
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Method
import kotlin.coroutines.Continuation
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn

/** What a transfer does with Ktor's channels, in the version that is on the classpath. */
internal interface KtorChannels {
    /** Reads what is there into [buffer], at least one byte; returns the number of bytes, or -1 at the end. */
    suspend fun read(from: ByteReadChannel, buffer: ByteArray): Int

    /** Fills the whole [buffer]. */
    suspend fun fill(from: ByteReadChannel, buffer: ByteArray)

    suspend fun write(to: ByteWriteChannel, content: ByteArray, length: Int)

    suspend fun copy(from: ByteReadChannel, to: ByteWriteChannel, bytes: Long)

    suspend fun flush(channel: ByteWriteChannel)

    /** Ends a file that is written, and returns when all of it is. */
    suspend fun end(channel: ByteWriteChannel)

    companion object {
        fun here(): KtorChannels =
            if (ByteReadChannel::class.java.methods.any { it.name == READ }) KtorChannelsBefore3 else KtorChannelsOf3
    }
}

private const val READ = "readAvailable"

/** Since Ktor 3 these are functions beside the channels, which it rebuilt on kotlinx-io. */
private object KtorChannelsOf3 : KtorChannels {
    override suspend fun read(from: ByteReadChannel, buffer: ByteArray): Int = from.readAvailable(buffer)

    override suspend fun fill(from: ByteReadChannel, buffer: ByteArray) = from.readFully(buffer)

    override suspend fun write(to: ByteWriteChannel, content: ByteArray, length: Int) = to.writeFully(content, 0, length)

    override suspend fun copy(from: ByteReadChannel, to: ByteWriteChannel, bytes: Long) {
        from.copyTo(to, bytes)
    }

    override suspend fun flush(channel: ByteWriteChannel) = channel.flush()

    override suspend fun end(channel: ByteWriteChannel) = channel.flushAndClose()
}

/** Before Ktor 3 they were methods of the channels. This code is compiled against a newer Ktor, so it looks them up by their names. */
private object KtorChannelsBefore3 : KtorChannels {
    private val bytes = ByteArray::class.java
    private val number = Int::class.javaPrimitiveType
    private val caller = Continuation::class.java
    private val read = ByteReadChannel::class.java.getMethod(READ, bytes, number, number, caller)
    private val fill = ByteReadChannel::class.java.getMethod("readFully", bytes, number, number, caller)
    private val write = ByteWriteChannel::class.java.getMethod("writeFully", bytes, number, number, caller)
    private val flush = ByteWriteChannel::class.java.getMethod("flush")
    private val copy = Class
        .forName("io.ktor.utils.io.ByteReadChannelKt")
        .getMethod("copyTo", ByteReadChannel::class.java, ByteWriteChannel::class.java, caller)

    override suspend fun read(from: ByteReadChannel, buffer: ByteArray): Int = read.suspending(from, buffer, 0, buffer.size)

    override suspend fun fill(from: ByteReadChannel, buffer: ByteArray): Unit = fill.suspending(from, buffer, 0, buffer.size)

    override suspend fun write(to: ByteWriteChannel, content: ByteArray, length: Int): Unit = write.suspending(to, content, 0, length)

    override suspend fun copy(from: ByteReadChannel, to: ByteWriteChannel, bytes: Long) {
        copy.suspending<Long>(null, from, to)
    }

    override suspend fun flush(channel: ByteWriteChannel) {
        flush.invoke(channel)
    }

    override suspend fun end(channel: ByteWriteChannel): Nothing =
        throw LabException("Ktor before version 3 does not say when a file is written: measure file-write from 3.0.0 on.")

    /** Calls a suspending method, as compiled code does: with the caller's continuation as the last argument. */
    private suspend fun <T> Method.suspending(on: Any?, vararg arguments: Any?): T = suspendCoroutineUninterceptedOrReturn { caller ->
        try {
            invoke(on, *arguments, caller)
        } catch (failed: InvocationTargetException) {
            throw failed.targetException
        }
    }
}
