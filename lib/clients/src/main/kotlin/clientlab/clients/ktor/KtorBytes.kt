package clientlab.clients.ktor

import io.ktor.utils.io.ByteReadChannel
import io.ktor.utils.io.ByteWriteChannel
import io.ktor.utils.io.readAvailable
import io.ktor.utils.io.writeFully
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Method
import kotlin.coroutines.Continuation
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn

/**
 * Bytes from and to Ktor's channels, in Ktor 3 and in Ktor 2.
 *
 * Ktor 3 has these functions as extensions, Ktor 2 as members, so code compiled against one does not link with the other. This calls
 * Ktor 3's directly and finds Ktor 2's by name.
 */
internal object KtorBytes {
    private val read: Method? = member(ByteReadChannel::class.java, "readAvailable")
    private val write: Method? = member(ByteWriteChannel::class.java, "writeFully")

    /** Reads available bytes into [target], and waits if there are none; returns their number, or -1 at the end. */
    suspend fun read(channel: ByteReadChannel, target: ByteArray): Int =
        if (read == null) channel.readAvailable(target) else read.callSuspending<Int>(channel, target, 0, target.size)

    /** Writes the first [length] bytes of [source]. */
    suspend fun write(channel: ByteWriteChannel, source: ByteArray, length: Int) {
        if (write == null) channel.writeFully(source, 0, length) else write.callSuspending<Any?>(channel, source, 0, length)
    }

    private fun member(type: Class<*>, name: String): Method? =
        runCatching { type.getMethod(name, ByteArray::class.java, Int::class.java, Int::class.java, Continuation::class.java) }.getOrNull()

    private suspend fun <T> Method.callSuspending(on: Any, vararg arguments: Any?): T =
        suspendCoroutineUninterceptedOrReturn { continuation ->
            try {
                invoke(on, *arguments, continuation)
            } catch (e: InvocationTargetException) {
                throw e.targetException
            }
        }
}
