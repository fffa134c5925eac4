package clientlab.testing

import clientlab.client.*
import java.net.HttpURLConnection

/** The JDK's `HttpURLConnection`, a thread a stream. */
internal class StreamingSession(private val conditions: Conditions, private val readTimeoutMs: Int = 60_000) :
    BlockingSession(CallerThreads.Platform) {
    override fun call(request: Request): Reply {
        val connection = conditions.baseUrl.resolve(request.path).toURL().openConnection() as HttpURLConnection
        connection.readTimeout = readTimeoutMs
        // One that was kept from the warm-up would not be opened again.
        connection.setRequestProperty("Connection", "close")
        connection.inputStream.use { body ->
            val piece = ByteArray(8_192)
            while (true) {
                val bytes = body.read(piece)
                if (bytes < 0) return Reply(connection.responseCode)
                request.onRead?.invoke(bytes)
                if (request.reading == Reading.Slowly) Thread.sleep(100)
            }
        }
    }
}
