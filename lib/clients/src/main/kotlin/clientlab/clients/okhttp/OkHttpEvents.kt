package clientlab.clients.okhttp

import clientlab.client.*
import okhttp3.Call
import okhttp3.Connection
import okhttp3.Dispatcher
import okhttp3.EventListener

/**
 * Reports what OkHttp does with a call, through its [EventListener](https://square.github.io/okhttp/features/events/).
 *
 * A call that finds room is not queued, and OkHttp then reports no event of the queue. For such a call the start counts as leaving it.
 */
internal class OkHttpEvents(private val events: RequestEvents) : EventListener() {
    override fun callStart(call: Call): Unit = tell(call, RequestEvent.LeftQueue)

    override fun dispatcherQueueEnd(call: Call, dispatcher: Dispatcher): Unit = tell(call, RequestEvent.LeftQueue)

    override fun connectionAcquired(call: Call, connection: Connection): Unit = tell(call, RequestEvent.ConnectionReady)

    private fun tell(call: Call, event: RequestEvent) {
        val now = System.nanoTime()
        val url = call.request().url
        events.happened(url.encodedPath + (url.encodedQuery?.let { "?$it" }.orEmpty()), event, now)
    }
}
