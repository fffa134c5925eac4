package clientlab.server.answer

import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpHeaderValues
import io.netty.util.AsciiString

/** The fields of an answer's head in HTTP/2 and HTTP/3, the same as in HTTP/1. Not thread-safe: one event loop has one. */
internal class HeadFields {
    private val date = HttpDate()
    private val types = HashMap<String, AsciiString>()

    /** Gives [add] the name and the value of each field of [answer], whose body has [length] bytes. */
    fun of(answer: Answer, length: Long, add: (AsciiString, AsciiString) -> Unit) {
        answer.content.type?.let { type -> add(HttpHeaderNames.CONTENT_TYPE, types.getOrPut(type) { AsciiString.cached(type) }) }
        add(HttpHeaderNames.DATE, date.now())
        val bytes = answer.content
        if (bytes is Content.Bytes) add(X_CRC32, AsciiString(bytes.crc32()))
        if (answer.behaviour.isGzipped) add(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP)
        answer.headers.forEach { (name, value) -> add(AsciiString(name), AsciiString(value)) }
        if (answer.hasLength) add(HttpHeaderNames.CONTENT_LENGTH, AsciiString(length.toString()))
    }

    private companion object {
        val X_CRC32: AsciiString = AsciiString.cached("x-crc32")
    }
}
