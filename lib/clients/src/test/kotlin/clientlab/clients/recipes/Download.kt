package clientlab.clients.recipes

import java.io.InputStream
import java.nio.ByteBuffer
import java.util.concurrent.Flow
import kotlin.concurrent.thread

/** A body that is being read, and that [close] ends. */
internal interface Download : AutoCloseable {
    /** Reads to the end, and says then whether that failed. */
    fun whenRead(said: (Throwable?) -> Unit)
}

internal class OfStream(private val body: InputStream) : Download {
    override fun whenRead(said: (Throwable?) -> Unit) {
        thread(isDaemon = true) { said(runCatching { body.readAllBytes() }.exceptionOrNull()) }
    }

    override fun close() = body.close()
}

internal class OfPublisher(private val body: Flow.Publisher<List<ByteBuffer>>) : Download {
    private lateinit var subscription: Flow.Subscription

    override fun whenRead(said: (Throwable?) -> Unit) = body.subscribe(
        object : Flow.Subscriber<List<ByteBuffer>> {
            override fun onSubscribe(given: Flow.Subscription) {
                subscription = given
                given.request(Long.MAX_VALUE)
            }

            override fun onNext(item: List<ByteBuffer>) = Unit

            override fun onError(throwable: Throwable) = said(throwable)

            override fun onComplete() = said(null)
        },
    )

    override fun close() = subscription.cancel()
}
