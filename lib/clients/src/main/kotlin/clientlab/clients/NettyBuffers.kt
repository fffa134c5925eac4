package clientlab.clients

import io.netty.buffer.ByteBuf

/** Counts what can be read of [buffer], and neither copies nor releases it. */
internal fun BodyTally.add(buffer: ByteBuf): Unit = buffer.nioBuffers().forEach { add(it) }
