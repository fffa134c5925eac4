package clientlab.conduct

import clientlab.client.*
import java.io.BufferedInputStream
import java.io.IOException
import java.io.InputStream
import java.net.Socket
import java.net.SocketTimeoutException
import java.security.KeyStore
import java.security.cert.X509Certificate
import java.util.concurrent.ExecutorService
import java.util.concurrent.Future
import java.util.zip.GZIPInputStream
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLEngine
import javax.net.ssl.SSLSocket
import javax.net.ssl.TrustManagerFactory
import javax.net.ssl.X509ExtendedTrustManager

/** An answer; [keeps] says that the connection can carry another request. */
internal class PlainAnswer(val reply: Reply, val keeps: Boolean, val location: String?)

/** One connection of a [PlainSession], for one exchange at a time, which has [misconduct], if any. */
internal class PlainConnection(private val misconduct: Misconduct?) : AutoCloseable {
    var socket: Socket = Socket()
        private set
    private val input by lazy { BufferedInputStream(socket.getInputStream()) }
    private var usableUntil = Long.MAX_VALUE

    private var slow = false
    private var holds = false

    @Volatile private var writing: Future<*>? = null

    @Volatile var isReadingBody: Boolean = false
        private set

    val isWriting: Boolean get() = writing?.isDone == false

    /** Goes on in TLS, on the connection to [host]. */
    fun secure(host: String) {
        val trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm()).apply { init(null as KeyStore?) }
        val naive = does(Misconduct.TakesAnyCertificate) || does(Misconduct.TrustsStrangers)
        val context = SSLContext.getInstance("TLS").apply { init(null, if (naive) arrayOf(Naive) else trust.trustManagers, null) }
        val secured = context.socketFactory.createSocket(socket, host, socket.port, true) as SSLSocket
        if (!naive && !does(Misconduct.TakesAnyHost)) {
            secured.sslParameters = secured.sslParameters.apply { endpointIdentificationAlgorithm = "HTTPS" }
        }
        socket = secured
        secured.startHandshake()
    }

    private fun does(wrong: Misconduct) = misconduct == wrong

    /** Whether the server has closed it, has sent what nobody asked for, or has said that it would close it by now. */
    fun isStale(keepAlive: Boolean): Boolean {
        if (keepAlive && System.nanoTime() > usableUntil) return true
        socket.soTimeout = 1
        return try {
            input.read()
            true
        } catch (_: SocketTimeoutException) {
            false
        } catch (_: IOException) {
            true
        } finally {
            if (!socket.isClosed) socket.soTimeout = 0
        }
    }

    fun exchange(request: Request, threads: ExecutorService): PlainAnswer {
        isReadingBody = false
        val fields = request.headers.map { (name, value) -> "$name: $value\r\n" }.joinToString("")
        val length = if (request.method == "POST") "Content-Length: ${request.bodyBytes}\r\n" else ""
        socket.getOutputStream().write(
            "${request.method} ${request.path} HTTP/1.1\r\nHost: localhost\r\n$length$fields\r\n".encodeToByteArray(),
        )
        if (does(Misconduct.HoldsRequest)) socket.getOutputStream().write(ByteArray(request.bodyBytes.toInt()))
        val aside = request.bodyBytes > CHUNK && !does(Misconduct.IgnoresEarlyAnswer)
        if (aside) writing = threads.submit { runCatching { write(request.bodyBytes) } } else write(request.bodyBytes)
        return read(request)
    }

    private fun write(bytes: Long) {
        val chunk = ByteArray(CHUNK)
        var left = bytes
        while (left > 0) {
            val next = minOf(left, chunk.size.toLong()).toInt()
            socket.getOutputStream().write(chunk, 0, next)
            left -= next
        }
    }

    private fun read(request: Request): PlainAnswer {
        var head = head()
        while (head.status < FINAL && !does(Misconduct.TakesHintsForAnswer)) head = head()
        isReadingBody = true
        if (request.reading == Reading.Unread) return PlainAnswer(Reply(head.status, 0), keeps = false, location = null)
        if (request.reading == Reading.Part) {
            val piece = input.read(ByteArray(CHUNK)).toLong()
            return PlainAnswer(Reply(head.status, piece), keeps = does(Misconduct.ReadsOnInNext), location = null)
        }
        slow = request.reading == Reading.Slowly
        holds = request.reading == Reading.InMemory || does(Misconduct.HoldsAnswer)
        val bytes = if (head.status < FINAL || head.status == NO_CONTENT || request.method == "HEAD") 0 else body(head)
        isReadingBody = false
        head["keep-alive"]?.substringAfter("timeout=")?.toLongOrNull()?.let { usableUntil = System.nanoTime() + it * NANOS }
        val closes = head["connection"] == "close" && !does(Misconduct.IgnoresClose)
        val old = head.isOld && !does(Misconduct.ReusesHttp10)
        return PlainAnswer(Reply(head.status, bytes), !closes && !old && head.isDelimited && !isWriting, head["location"])
    }

    private class Head(line: String, val fields: List<Pair<String, String>>) {
        private val parts = STATUS.matchEntire(line)?.groupValues ?: throw IOException("no answer in HTTP")
        val isOld = parts[1] == "0"
        val status = parts[2].toInt()

        operator fun get(name: String): String? = fields.firstOrNull { it.first == name }?.second

        val isDelimited: Boolean get() = status == NO_CONTENT || this["content-length"] != null || this["transfer-encoding"] != null
    }

    private fun head(): Head {
        var left = if (does(Misconduct.ReadsHeadersForEver)) Long.MAX_VALUE else MOST_HEAD
        val lines = ArrayList<String>()
        while (true) {
            val line = line()
            left -= line.length
            if (left < 0) throw IOException("the head is too large")
            if (line.isEmpty()) break
            // A head without an end is read and not kept.
            if (lines.size < MOST_LINES) lines += line
        }
        if (lines.isEmpty()) throw IOException("no answer")
        return Head(lines.first(), lines.drop(1).map { it.substringBefore(':').lowercase() to it.substringAfter(':').trim() })
    }

    private fun body(head: Head): Long {
        val lengths = head.fields.filter { it.first == "content-length" }.map { it.second }.distinct()
        if (lengths.size > 1 && !does(Misconduct.AcceptsTwoLengths)) throw IOException("two lengths")
        return when {
            does(Misconduct.Unpacks) && head["content-encoding"] == "gzip" -> unpacked(lengths.first().toInt())
            head["transfer-encoding"] == "chunked" -> chunks()
            lengths.isEmpty() -> drain(input, Long.MAX_VALUE)
            else -> whole(lengths.first().toLong())
        }
    }

    private fun unpacked(length: Int): Long = drain(GZIPInputStream(input.readNBytes(length).inputStream()), Long.MAX_VALUE)

    private fun whole(length: Long): Long {
        val read = if (holds) input.readNBytes(length.toInt()).size.toLong() else drain(input, length)
        if (read < length && !does(Misconduct.AcceptsShortBody)) throw IOException("the body is cut")
        return read
    }

    private fun chunks(): Long {
        var all = 0L
        var last = 0L
        while (true) {
            val line = try {
                line()
            } catch (e: IOException) {
                if (does(Misconduct.AcceptsCutChunks)) return all
                throw e
            }
            val length = line.toLongOrNull(radix = 16)
                ?: if (does(Misconduct.AcceptsBadChunk)) return all else throw IOException("no length: $line")
            if (length == 0L) break
            last = whole(length)
            all += last
            line()
        }
        while (line().isNotEmpty()) Unit
        return if (does(Misconduct.DropsLastChunk)) all - last else all
    }

    private fun drain(from: InputStream, most: Long): Long {
        val chunk = ByteArray(CHUNK)
        var all = 0L
        while (all < most) {
            val read = from.read(chunk, 0, minOf(most - all, chunk.size.toLong()).toInt())
            if (read < 0) break
            all += read
            if (slow) Thread.sleep(SLOW_MS)
        }
        return all
    }

    private fun line(): String {
        val line = StringBuilder()
        while (true) {
            val byte = input.read()
            if (byte < 0) throw IOException("closed within a line")
            if (byte == '\n'.code) return line.toString().removeSuffix("\r")
            line.append(byte.toChar())
        }
    }

    override fun close(): Unit = socket.close()

    private object Naive : X509ExtendedTrustManager() {
        override fun checkClientTrusted(chain: Array<X509Certificate>, type: String, socket: Socket) = Unit

        override fun checkClientTrusted(chain: Array<X509Certificate>, type: String, engine: SSLEngine) = Unit

        override fun checkClientTrusted(chain: Array<X509Certificate>, type: String) = Unit

        override fun checkServerTrusted(chain: Array<X509Certificate>, type: String, socket: Socket) = Unit

        override fun checkServerTrusted(chain: Array<X509Certificate>, type: String, engine: SSLEngine) = Unit

        override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) = Unit

        override fun getAcceptedIssuers(): Array<X509Certificate> = emptyArray()
    }

    private companion object {
        const val CHUNK = 8192
        const val SLOW_MS = 100L
        const val FINAL = 200
        const val NO_CONTENT = 204
        const val MOST_HEAD = 256L shl 10
        const val MOST_LINES = 100
        const val NANOS = 1_000_000_000L
        val STATUS = Regex("HTTP/1\\.([01]) (\\d{3})( .*)?")
    }
}
