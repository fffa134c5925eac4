package clientlab.conduct

import clientlab.client.*
import kotlinx.coroutines.suspendCancellableCoroutine
import java.io.DataInputStream
import java.io.IOException
import java.nio.ByteBuffer
import java.security.KeyStore
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.ExecutionException
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLSocket
import javax.net.ssl.TrustManagerFactory
import kotlin.concurrent.thread
import kotlin.coroutines.resumeWithException

/** A client of HTTP/2 that does what one should do in each situation, except for its [misconduct]. It reads answers of a [Situation] alone. */
internal class PlainHttp2Session(private val conditions: Conditions, private val misconduct: Misconduct?) : Session {
    private val threads = Executors.newCachedThreadPool { Thread(it, "plain-http2").apply { isDaemon = true } }
    private val links = CopyOnWriteArrayList<Link>()

    private fun does(wrong: Misconduct) = misconduct == wrong

    override suspend fun send(request: Request): Reply = suspendCancellableCoroutine { continuation ->
        val call = Http2Call(request)
        continuation.invokeOnCancellation { if (!does(Misconduct.CancelsSilently)) call.stream?.abandon() }
        threads.execute {
            val reply = runCatching { call.run() }
            if (continuation.isActive) reply.fold({ continuation.resumeWith(Result.success(it)) }, { continuation.resumeWithException(it) })
        }
    }

    private inner class Http2Call(private val request: Request) {
        @Volatile var stream: Stream? = null

        fun run(): Reply {
            repeat(MOST_ATTEMPTS) {
                val opened = link().open(request).also { stream = it }
                val patience = if (does(Misconduct.NoHttp2Timeout)) FOR_EVER_MS else conditions.timeout.inWholeMilliseconds
                try {
                    return opened.answer.get(patience, TimeUnit.MILLISECONDS)
                } catch (e: ExecutionException) {
                    if (e.cause !is Unprocessed) throw checkNotNull(e.cause)
                    if (does(Misconduct.WaitsAfterRefusal)) Thread.sleep(FOR_EVER_MS)
                } catch (e: TimeoutException) {
                    opened.abandon()
                    // A connection that does not answer may be dead.
                    if (!does(Misconduct.UsesDeadHttp2Connection)) opened.link.close()
                    throw e
                }
            }
            throw IOException("refused too often")
        }
    }

    /** One that is open, or else another one. */
    private fun link(): Link = synchronized(links) {
        val kept = links.firstOrNull { !it.closed && !(it.gone && !does(Misconduct.UsesConnectionAfterGoaway)) }
        kept?.takeUnless { does(Misconduct.NeverReusesHttp2) } ?: Link().also { links += it }
    }

    override fun close() {
        links.forEach { it.close() }
        threads.shutdown()
    }

    /** The server has done nothing with the request. */
    private class Unprocessed(why: String) : IOException(why)

    private class Stream(val number: Int, val link: Link) {
        val answer = CompletableFuture<Reply>()
        var declared = -1L
        var read = 0L

        fun abandon() {
            if (answer.completeExceptionally(IOException("the caller has gone"))) link.reset(number)
        }
    }

    private inner class Link {
        private val socket = trusting().socketFactory.createSocket(conditions.baseUrl.host, conditions.baseUrl.port) as SSLSocket
        private val streams = ConcurrentHashMap<Int, Stream>()
        private val lock = Object()
        private var next = 1
        private var most = Int.MAX_VALUE
        private var allowed = false

        @Volatile var closed = false
            private set

        @Volatile var gone = false
            private set

        init {
            socket.sslParameters = socket.sslParameters.apply {
                applicationProtocols = arrayOf("h2")
                endpointIdentificationAlgorithm = "HTTPS"
            }
            socket.startHandshake()
            socket.outputStream.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".encodeToByteArray())
            write(SETTINGS)
            thread(isDaemon = true, name = "plain-http2-reader") { read() }
        }

        fun open(request: Request): Stream = synchronized(lock) {
            // It waits for the server's settings, and for a stream to end.
            while (!closed && (!allowed || (streams.size >= most && !does(Misconduct.IgnoresMaxStreams)))) lock.wait(LOOK_MS)
            val stream = Stream(next, this).also { streams[next] = it }
            next += 2
            val end = request.bodyBytes == 0L
            write(HEADERS, END_HEADERS or (if (end) END_STREAM else 0), stream.number, head(request))
            if (!end) write(DATA, END_STREAM, stream.number, ByteArray(request.bodyBytes.toInt()))
            stream
        }

        private fun head(request: Request): ByteArray {
            val method: Byte = if (request.method == "POST") POST else GET
            return byteArrayOf(method, HTTPS) + named(PATH, request.path) + named(AUTHORITY, "localhost")
        }

        private fun named(index: Byte, value: String) = byteArrayOf(index, value.length.toByte()) + value.encodeToByteArray()

        fun reset(stream: Int) {
            forget(stream)
            runCatching { write(RST_STREAM, stream = stream, payload = ByteBuffer.allocate(4).putInt(CANCEL).array()) }
        }

        fun close() {
            closed = true
            socket.close()
        }

        private fun write(type: Int, flags: Int = 0, stream: Int = 0, payload: ByteArray = ByteArray(0)) {
            val head = ByteBuffer.allocate(HEAD_BYTES).putInt((payload.size shl 8) or type).put(flags.toByte()).putInt(stream).array()
            synchronized(socket) { socket.outputStream.write(head + payload) }
        }

        private fun read() {
            val input = DataInputStream(socket.inputStream)
            try {
                while (true) {
                    val first = input.readInt()
                    val flags = input.readByte().toInt()
                    val stream = input.readInt()
                    take(first and 0xff, flags, stream, input.readNBytes(first ushr 8))
                }
            } catch (e: IOException) {
                closed = true
                streams.values.forEach { it.answer.completeExceptionally(e) }
            }
        }

        private fun take(type: Int, flags: Int, number: Int, payload: ByteArray) {
            val stream = streams[number]
            when (type) {
                SETTINGS -> if (flags and ACK == 0) settings(ByteBuffer.wrap(payload))
                PING -> if (!does(Misconduct.IgnoresPing)) write(PING, ACK, payload = payload)
                HEADERS -> stream?.declared = payload.drop(STATUS_AND_NAME).toByteArray().decodeToString().toLong()
                DATA -> stream?.let { counted(it, payload.size) }
                RST_STREAM -> stream?.let { resetBy(ByteBuffer.wrap(payload).getInt(), it) }
                GOAWAY -> goneAway(ByteBuffer.wrap(payload).getInt())
            }
            if (stream != null && (type == HEADERS || type == DATA) && flags and END_STREAM != 0) ended(stream)
        }

        /** The connection's window is for all streams; the window of a stream is for what its caller reads. */
        private fun counted(stream: Stream, bytes: Int) {
            stream.read += bytes
            if (bytes > 0 && !does(Misconduct.HoldsWindow)) write(WINDOW_UPDATE, payload = ByteBuffer.allocate(4).putInt(bytes).array())
        }

        private fun settings(payload: ByteBuffer) {
            while (payload.remaining() >= SETTING_BYTES) {
                val name = payload.getShort().toInt()
                val value = payload.getInt()
                if (name == MAX_CONCURRENT_STREAMS) most = value
            }
            write(SETTINGS, ACK)
            synchronized(lock) {
                allowed = true
                lock.notifyAll()
            }
        }

        private fun resetBy(error: Int, stream: Stream) {
            if (error != REFUSED_STREAM && does(Misconduct.TakesCutStream)) return ended(stream)
            forget(stream.number)
            stream.answer.completeExceptionally(if (error == REFUSED_STREAM) Unprocessed("refused") else IOException("reset: $error"))
        }

        private fun goneAway(last: Int) {
            gone = true
            streams.values.filter { it.number > last }.forEach {
                forget(it.number)
                it.answer.completeExceptionally(Unprocessed("the server goes away"))
            }
        }

        private fun ended(stream: Stream) {
            forget(stream.number)
            val whole = stream.read == stream.declared || does(Misconduct.TakesCutStream) || does(Misconduct.TakesShortStream)
            if (whole) stream.answer.complete(Reply(200, stream.read)) else stream.answer.completeExceptionally(IOException("cut"))
        }

        private fun forget(stream: Int) {
            streams.remove(stream)
            synchronized(lock) { lock.notifyAll() }
        }
    }

    /** It reads the JVM's trust store anew, which each trial of one JVM changes. */
    private fun trusting(): SSLContext {
        val trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm()).apply { init(null as KeyStore?) }
        return SSLContext.getInstance("TLS").apply { init(null, trust.trustManagers, null) }
    }

    private companion object {
        const val MOST_ATTEMPTS = 3
        const val FOR_EVER_MS = 60_000L
        const val LOOK_MS = 100L
        const val HEAD_BYTES = 9
        const val SETTING_BYTES = 6
        const val DATA = 0
        const val HEADERS = 1
        const val RST_STREAM = 3
        const val SETTINGS = 4
        const val PING = 6
        const val GOAWAY = 7
        const val WINDOW_UPDATE = 8
        const val ACK = 1
        const val END_STREAM = 1
        const val END_HEADERS = 4
        const val MAX_CONCURRENT_STREAMS = 3
        const val REFUSED_STREAM = 7
        const val CANCEL = 8

        /** The status, two bytes for the name `content-length`, and its length. */
        const val STATUS_AND_NAME = 4

        /** As RFC 7541 encodes methods, scheme, and names before their values. */
        const val GET: Byte = 0x82.toByte()
        const val POST: Byte = 0x83.toByte()
        const val HTTPS: Byte = 0x87.toByte()
        const val PATH: Byte = 4
        const val AUTHORITY: Byte = 1
    }
}
