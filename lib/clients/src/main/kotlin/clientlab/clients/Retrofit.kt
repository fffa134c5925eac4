package clientlab.clients

import clientlab.client.CatalogueEntry
import clientlab.client.Client
import clientlab.client.ClientInfo
import clientlab.client.Conditions
import clientlab.client.Reply
import clientlab.client.Request
import clientlab.client.Session
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import okhttp3.OkHttpClient
import okhttp3.RequestBody
import okhttp3.ResponseBody
import retrofit2.Response
import retrofit2.create
import retrofit2.http.Body
import retrofit2.http.GET
import retrofit2.http.POST
import retrofit2.http.PUT
import retrofit2.http.Streaming
import retrofit2.http.Url
import kotlin.coroutines.EmptyCoroutineContext
import retrofit2.Retrofit as RetrofitLibrary

/**
 * [Retrofit](https://square.github.io/retrofit/) with suspending functions, over OkHttp.
 *
 * All that can be set is OkHttp's, and stands with its reasons at [okHttpClient].
 */
internal class Retrofit(
    private val configuration: Configuration,
    private val virtual: Boolean = false,
) : Client {
    override fun open(conditions: Conditions): Session = RetrofitSession(conditions, okHttpClient(configuration, conditions, virtual))
}

internal object RetrofitListing : Listing {
    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(info("retrofit", "Retrofit", OkHttpListing.OPENED)) { Retrofit(Configuration.Opened) },
            CatalogueEntry(info("retrofit-virtual", "Retrofit on virtual threads", OkHttpListing.OPENED + OkHttpListing.VIRTUAL)) {
                Retrofit(Configuration.Opened, virtual = true)
            },
            CatalogueEntry(info("retrofit@default", "Retrofit as it comes", "none", OkHttpListing.PER_HOST)) {
                Retrofit(Configuration.Default)
            },
            CatalogueEntry(
                info(
                    "retrofit@article",
                    "Retrofit as in the article",
                    "Dispatcher with maxRequests and maxRequestsPerHost at the requests in flight; time-outs as they come",
                ),
            ) { Retrofit(Configuration.Article) },
        )

    private fun info(id: String, title: String, settings: String, limit: Int? = null): ClientInfo =
        ClientInfo(id, title, "com.squareup.retrofit2:retrofit", settings, limit, OkHttpListing.leaves, OkHttpListing.owners)
}

/** Retrofit answers a call with the whole body in memory, read on OkHttp's thread, unless it is told to stream. */
private interface Api {
    @GET
    suspend fun get(
        @Url path: String,
    ): Response<ResponseBody>

    @GET
    @Streaming
    suspend fun stream(
        @Url path: String,
    ): Response<ResponseBody>

    @POST
    suspend fun post(
        @Url path: String,
        @Body body: RequestBody,
    ): Response<ResponseBody>

    @PUT
    suspend fun put(
        @Url path: String,
        @Body body: RequestBody,
    ): Response<ResponseBody>
}

private class RetrofitSession(conditions: Conditions, private val client: OkHttpClient) : Session {
    private val api: Api =
        RetrofitLibrary
            .Builder()
            .baseUrl(conditions.baseUrl.toString().trimEnd('/') + "/")
            .client(client)
            .build()
            .create()

    override suspend fun send(request: Request): Reply {
        val response =
            when (request.method) {
                "GET" -> if (request.large) api.stream(request.path) else api.get(request.path)
                "POST" -> api.post(request.path, ZeroRequestBody(request.bodyBytes))
                "PUT" -> api.put(request.path, ZeroRequestBody(request.bodyBytes))
                else -> throw IllegalArgumentException("The Retrofit adapter has no ${request.method}; it sends GET, POST and PUT.")
            }
        val tally = BodyTally(request)
        val body = response.body() ?: response.errorBody()
        // A streamed body is read by whoever called, and blocks: as Retrofit's users do, on Dispatchers.IO. Any other one is in memory.
        if (body != null) withContext(if (request.large) Dispatchers.IO else EmptyCoroutineContext) { tally.drain(body.byteStream()) }
        return tally.reply(response.code(), labelOf(response.raw().protocol))
    }

    override fun close(): Unit = client.shutDown()
}
