package clientlab.server.request

import clientlab.server.answer.*
import io.netty.buffer.ByteBuf
import io.netty.channel.ChannelFuture
import io.netty.util.concurrent.EventExecutor

/** Writes the answers of [Exchange]s as one protocol has it: to a connection of HTTP/1, or to one stream of HTTP/2. */
internal interface ResponseWriter {
    val executor: EventExecutor

    /** Whether a piece may be written now; the writer calls [Exchange.onWritable] when it may again. */
    val isWritable: Boolean

    /** Whether an answer without a body ends with its head, so that nothing has to be written after it. */
    val canEndWithHead: Boolean

    /** Writes the head and the whole [body] at once; the result says when they have left. */
    fun writeWhole(exchange: Exchange, body: ByteArray): ChannelFuture

    /** Writes the head of an answer whose body of [length] bytes follows in pieces, or which ends with the head if [isAll]. */
    fun writeHead(exchange: Exchange, length: Long, isAll: Boolean): ChannelFuture

    /** Writes [piece], which is the end of a whole body if [isEnd]; the result says when it has left. */
    fun write(piece: ByteBuf, isEnd: Boolean): ChannelFuture

    /** A part of the answer was written at [now]. */
    fun onProgress(now: Long)

    /** The request ended at [now], answered or not. */
    fun onOver(now: Long)

    /** The whole answer has left, and the request asked for no fault after it. */
    fun onAnswered(exchange: Exchange)

    /** The answer could not be written. */
    fun onWriteFailed()

    /** Closes or resets, because the request asked for [fault]. */
    fun end(fault: Fault)

    /** Ends a request that asked to stall and has stalled for the longest delay. */
    fun endStall()
}
