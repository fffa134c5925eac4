package clientlab.clients

import clientlab.ClientInfo
import clientlab.Protocol
import clientlab.client.CatalogueEntry
import clientlab.client.Client
import clientlab.client.Conditions
import clientlab.client.Reply
import clientlab.client.Request
import clientlab.client.Session
import com.github.kittinunf.fuel.core.Deserializable
import com.github.kittinunf.fuel.core.FuelManager
import com.github.kittinunf.fuel.core.Method
import com.github.kittinunf.fuel.core.Response
import com.github.kittinunf.fuel.coroutines.await

/**
 * [Fuel](https://github.com/kittinunf/fuel/tree/2.3.1) 2.3.1 with coroutines: `HttpURLConnection`, blocking on `Dispatchers.IO`.
 *
 * Its suspending functions run the blocking call there unless they are given another context, so that the size of that dispatcher
 * is the limit. It cannot be set from here: it is an option of the trial JVM, which [FuelListing] declares.
 */
internal class Fuel(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        requireHttp1(conditions, "Fuel")
        return FuelSession(conditions, configuration)
    }
}

internal object FuelListing : Listing {
    /** The size of `Dispatchers.IO` on a machine of up to as many cores. */
    private const val IO_THREADS = 64

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(
                info(
                    "fuel",
                    "Fuel",
                    "kotlinx.coroutines.io.parallelism of the JVM at the requests in flight, for Fuel blocks threads of " +
                        "Dispatchers.IO and there are 64; connect and read time-out as asked, for they are 15 s; HTTP/1.1",
                ).copy(jvmArgs = listOf("-Dkotlinx.coroutines.io.parallelism={inFlight}")),
            ) { Fuel(Configuration.Opened) },
            CatalogueEntry(info("fuel@default", "Fuel as it comes", "none", IO_THREADS)) { Fuel(Configuration.Default) },
        )

    private fun info(id: String, title: String, settings: String, limit: Int? = null): ClientInfo =
        ClientInfo(
            id,
            title,
            "com.github.kittinunf.fuel:fuel",
            settings,
            limit,
            UrlConnectionListing.expectedLeftovers,
            UrlConnectionListing.owners,
            protocols = HTTP_1,
        )
}

private class FuelSession(
    private val conditions: Conditions,
    configuration: Configuration,
) : Session {
    /** A manager of this session's own: Fuel's functions use one that all of the JVM shares. */
    private val manager: FuelManager =
        FuelManager().apply {
            if (configuration == Configuration.Opened) {
                timeoutInMillisecond = Math.toIntExact(conditions.timeout.inWholeMilliseconds)
                timeoutReadInMillisecond = timeoutInMillisecond
            }
        }

    override suspend fun send(request: Request): Reply {
        val url = conditions.baseUrl.resolve(request.path).toString()
        return manager
            .request(Method.valueOf(request.method), url)
            .apply { if (request.bodyBytes > 0) body({ ZeroStream(request.bodyBytes) }, { request.bodyBytes }) }
            // As it comes any status from 400 on is an exception; here it is a reply.
            .validate { true }
            .await(Tallying(request))
    }

    /** There is nothing to close: the connections are the JVM's. */
    override fun close() {}
}

private class Tallying(private val request: Request) : Deserializable<Reply> {
    override fun deserialize(response: Response): Reply =
        BodyTally(request).drain(response.body().toStream()).reply(response.statusCode, Protocol.Http1.label)
}
