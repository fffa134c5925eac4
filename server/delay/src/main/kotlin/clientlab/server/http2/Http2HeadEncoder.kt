package clientlab.server.http2

import clientlab.server.answer.*
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpHeaderValues
import io.netty.handler.codec.http.HttpResponseStatus
import io.netty.handler.codec.http2.Http2Headers
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers
import io.netty.util.AsciiString

/** Makes the heads of answers for HTTP/2, with the same headers as in HTTP/1. Not thread-safe: one event loop has one. */
internal class Http2HeadEncoder {
    private val date = HttpDate()
    private val types = HashMap<String, AsciiString>()

    /** The head of an answer whose body has [length] bytes. */
    fun encode(answer: Answer, length: Long): Http2Headers {
        val fields = ArrayList<AsciiString>(MOST_FIELDS)
        answer.content.type?.let { type -> fields.add(HttpHeaderNames.CONTENT_TYPE, types.getOrPut(type) { AsciiString.cached(type) }) }
        fields.add(HttpHeaderNames.DATE, date.now())
        val bytes = answer.content
        if (bytes is Content.Bytes) fields.add(X_CRC32, AsciiString(bytes.crc32()))
        if (answer.behaviour.isGzipped) fields.add(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP)
        answer.headers.forEach { (name, value) -> fields.add(AsciiString(name), AsciiString(value)) }
        if (answer.hasLength) fields.add(HttpHeaderNames.CONTENT_LENGTH, AsciiString(length.toString()))
        return ReadOnlyHttp2Headers.serverHeaders(false, HttpResponseStatus.valueOf(answer.status).codeAsText(), *fields.toTypedArray())
    }

    private fun ArrayList<AsciiString>.add(name: AsciiString, value: AsciiString) {
        add(name)
        add(value)
    }

    companion object {
        private const val MOST_FIELDS = 10
        private val X_CRC32 = AsciiString.cached("x-crc32")

        /** Tells a client that waits with its body to send it. */
        val CONTINUE: Http2Headers = ReadOnlyHttp2Headers.serverHeaders(false, HttpResponseStatus.CONTINUE.codeAsText())
    }
}
