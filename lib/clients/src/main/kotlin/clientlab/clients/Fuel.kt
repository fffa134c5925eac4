package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.jdk.*
import clientlab.clients.kit.*
import com.github.kittinunf.fuel.core.Deserializable
import com.github.kittinunf.fuel.core.FuelManager
import com.github.kittinunf.fuel.core.Method
import com.github.kittinunf.fuel.core.Response
import com.github.kittinunf.fuel.coroutines.await
import kotlin.time.Duration.Companion.seconds

/**
 * [Fuel](https://github.com/kittinunf/fuel/tree/2.3.1) 2.3.1 with coroutines: `HttpURLConnection`, blocking on `Dispatchers.IO`.
 *
 * By default its suspending functions run the blocking call there, so the size of that dispatcher is the limit. An adapter cannot set
 * the size: it is an option of the trial JVM, which [FuelListing] declares.
 */
internal class Fuel(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        requireHttp1(conditions, "Fuel")
        return FuelSession(conditions, configuration)
    }
}

internal object FuelListing : Listing {
    /** The size of `Dispatchers.IO` on a machine with at most as many cores. */
    private const val IO_THREADS = 64
    private const val OPENED =
        "kotlinx.coroutines.io.parallelism of the JVM at the requests in flight, because Fuel blocks threads of Dispatchers.IO and by " +
            "default there are 64; connect and read time-out as asked, because by default they are 15 s; HTTP/1.1"
    private val jvmArgs = listOf("-Dkotlinx.coroutines.io.parallelism={inFlight}")

    override val library = "com.github.kittinunf.fuel:fuel"
    override val protocols = HTTP_1
    override val timeouts = mapOf(
        TimeoutKind.Connect to TimeoutSetting("timeoutInMillisecond", 15.seconds),
        TimeoutKind.Read to TimeoutSetting("timeoutReadInMillisecond", 15.seconds),
    )
    override val expectedLeftovers = UrlConnectionListing.expectedLeftovers
    override val owners = UrlConnectionListing.owners
    override val entries = listOf(
        entry("fuel", "Fuel", OPENED, threadPerRequest = true, jvmArgs = jvmArgs) { Fuel(Configuration.Opened) },
        entry("fuel@default", "Fuel by default", "none", IO_THREADS, threadPerRequest = true) { Fuel(Configuration.Default) },
    )
}

private class FuelSession(private val conditions: Conditions, configuration: Configuration) : Session {
    /** This session's own manager; by default Fuel's functions use one that the whole JVM shares. */
    private val manager: FuelManager = FuelManager().apply {
        if (configuration == Configuration.Opened) {
            timeoutInMillisecond = conditions.timeoutMs
            timeoutReadInMillisecond = conditions.longestReadMs
        }
    }

    override suspend fun send(request: Request): Reply {
        val url = conditions.baseUrl.resolve(request.path).toString()
        return manager
            .request(Method.valueOf(request.method), url)
            .apply { if (request.bodyBytes > 0) body({ ZeroStream(request.bodyBytes) }, { request.bodyBytes }) }
            .header(request.headers)
            // By default a status of 400 or more is an exception; here it is a reply.
            .validate { true }
            .await(
                object : Deserializable<Reply> {
                    override fun deserialize(response: Response): Reply =
                        if (request.reading == Reading.InMemory) {
                            Reply(response.statusCode, response.body().toByteArray().size.toLong(), Protocol.Http1.label)
                        } else {
                            BodyTally(request).drain(response.body().toStream()).reply(response.statusCode, Protocol.Http1.label)
                        }
                },
            )
    }

    /** Closes nothing, because the connections belong to the JVM. */
    override fun close() {}
}
