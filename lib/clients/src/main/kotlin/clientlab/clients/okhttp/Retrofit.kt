package clientlab.clients.okhttp

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.RequestBody
import okhttp3.ResponseBody
import retrofit2.Response
import retrofit2.converter.kotlinx.serialization.asConverterFactory
import retrofit2.create
import retrofit2.http.Body
import retrofit2.http.GET
import retrofit2.http.HeaderMap
import retrofit2.http.POST
import retrofit2.http.PUT
import retrofit2.http.Streaming
import retrofit2.http.Url
import kotlin.coroutines.EmptyCoroutineContext
import retrofit2.Retrofit as RetrofitLibrary

/**
 * [Retrofit](https://square.github.io/retrofit/) with suspending functions, over OkHttp.
 *
 * Retrofit has no limits of its own. [okHttpClient] sets OkHttp's, and says why.
 */
internal class Retrofit(
    private val configuration: Configuration,
    private val virtual: Boolean = false,
    private val attempt: OkHttpAttempt? = null,
) : Client {
    override fun open(conditions: Conditions): Session =
        RetrofitSession(conditions, okHttpClient(configuration, conditions, virtual, attempt), Addresses(conditions, attempt))
}

internal object RetrofitListing : Listing {
    private const val VIRTUAL = OkHttpListing.OPENED + OkHttpListing.VIRTUAL
    private const val ARTICLE = "Dispatcher with maxRequests and maxRequestsPerHost at the requests in flight; time-outs at their defaults"
    private const val JSON = "com.squareup.retrofit2:converter-kotlinx-serialization"

    override val library = "com.squareup.retrofit2:retrofit"
    override val protocols = Protocol.overTcp
    override val recipe = "RetrofitRecipe.kt"
    override val timeouts = OkHttpListing.timeouts
    override val payloads = Payload.entries
    override val expectedLeftovers = OkHttpListing.expectedLeftovers
    override val callFrames = OkHttpListing.callFrames
    override val owners = OkHttpListing.owners
    override val needs = LibraryNeeds(from = "2.9.0", json = listOf(JSON), jsonFrom = "3.0.0")
    override val entries = listOf(
        entry("retrofit", "Retrofit", OkHttpListing.OPENED, threadPerRequest = true) { Retrofit(Configuration.Opened) },
        entry("retrofit-virtual", "Retrofit on virtual threads", VIRTUAL) { Retrofit(Configuration.Opened, virtual = true) },
        entry("retrofit@default", "Retrofit by default", "none", OkHttpListing.PER_HOST, threadPerRequest = true) {
            Retrofit(Configuration.Default)
        },
        entry("retrofit@article", "Retrofit as in the article", ARTICLE, threadPerRequest = true) { Retrofit(Configuration.Article) },
    ) + attempts("retrofit", "Retrofit") { Retrofit(it.configuration, attempt = it) }
}

/** The calls. Without `@Streaming` Retrofit reads the whole body into memory, on OkHttp's thread. */
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

    @GET
    suspend fun get(
        @Url path: String,
        @HeaderMap headers: Map<String, String>,
    ): Response<ResponseBody>

    @GET
    suspend fun datetime(
        @Url path: String,
    ): Response<Datetime>

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

private class RetrofitSession(
    private val conditions: Conditions,
    private val client: OkHttpClient,
    private val addresses: Addresses,
) : Session {
    private val api: Api =
        RetrofitLibrary
            .Builder()
            .baseUrl(conditions.baseUrl.toString().trimEnd('/') + "/")
            .client(client)
            .apply { if (conditions.payload == Payload.Json) addConverterFactory(json()) }
            .build()
            .create()

    override suspend fun send(request: Request): Reply {
        val url = addresses.of(request.path)
        if (conditions.payload == Payload.Json) {
            return api.datetime(url).let { Reply(it.code(), protocol = labelOf(it.raw().protocol), decoded = it.body()) }
        }
        if (request.headers.isNotEmpty() && request.method != "GET") {
            throw UnsupportedRequest("The Retrofit adapter adds headers to a GET alone, and this is a ${request.method}.")
        }
        val holds = request.reading == Reading.InMemory
        val streams = request.large || (!holds && request.reading != Reading.Whole)
        val response = when (request.method) {
            "GET" if request.headers.isNotEmpty() -> api.get(url, request.headers)
            "GET" -> if (streams) api.stream(url) else api.get(url)
            "POST" -> api.post(url, ZeroRequestBody(request.bodyBytes))
            "PUT" -> api.put(url, ZeroRequestBody(request.bodyBytes))
            else -> throw UnsupportedRequest("The Retrofit adapter does not send ${request.method}: ask for GET, POST or PUT.")
        }
        val body = response.body() ?: response.errorBody()
        if (holds) return Reply(response.code(), body?.bytes()?.size?.toLong() ?: 0, labelOf(response.raw().protocol))
        val tally = BodyTally(request)
        // The caller reads a streamed body and blocks, so this uses Dispatchers.IO, as users of Retrofit do. Any other body is in memory.
        if (body != null) withContext(if (streams) Dispatchers.IO else EmptyCoroutineContext) { tally.drain(body.byteStream()) }
        return tally.reply(response.code(), labelOf(response.raw().protocol))
    }

    override fun close(): Unit = client.shutDown()

    /** A function of its own, because Retrofit 2 has neither this converter nor OkHttp's media types by extension. */
    private fun json() = LabJson.asConverterFactory("application/json".toMediaType())
}
