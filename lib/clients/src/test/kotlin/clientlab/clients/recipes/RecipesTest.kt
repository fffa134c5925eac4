package clientlab.clients.recipes

import clientlab.clients.*
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.engine.okhttp.OkHttp
import io.ktor.client.request.get
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.suspendCancellableCoroutine
import okhttp3.Call
import okhttp3.Callback
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.Response
import okhttp3.ResponseBody
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse
import org.apache.hc.client5.http.impl.async.HttpAsyncClients
import org.apache.hc.core5.concurrent.FutureCallback
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.springframework.web.reactive.function.client.WebClient
import retrofit2.Retrofit
import retrofit2.http.GET
import retrofit2.http.Url
import java.io.IOException
import java.net.URI
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.measureTimedValue

/** What each recipe promises, beside the library without it: many calls at once, and a deadline that holds. */
class RecipesTest {
    private val server = RealServer()

    @AfterEach
    fun close() = server.close()

    /** One call with a client as its recipe builds it, which gives the status of the answer. */
    private class Made(val call: suspend (URI) -> Int, val close: () -> Unit)

    private val recipes: Map<String, (Duration) -> Made> = mapOf(
        "OkHttpRecipe.kt" to { deadline -> okHttp(AT_ONCE, deadline).let { client -> Made({ client.call(it) }, { end(client) }) } },
        "RetrofitRecipe.kt" to { deadline ->
            val retrofit = retrofit("${server.baseUrl}/", AT_ONCE, deadline)
            val api = retrofit.create(Api::class.java)
            Made({ api.get("$it").use { 200 } }, { end(retrofit.callFactory() as OkHttpClient) })
        },
        "KtorOkHttpRecipe.kt" to { deadline -> ktor(ktorOkHttp(AT_ONCE, deadline)) },
        "KtorCioRecipe.kt" to { deadline -> ktor(ktorCio(AT_ONCE, deadline)) },
        "KtorApache5Recipe.kt" to { deadline -> ktor(ktorApache5(AT_ONCE, deadline)) },
        "KtorJavaRecipe.kt" to { deadline -> ktor(ktorJava(deadline)) },
        "JdkRecipe.kt" to
            { deadline -> jdk(deadline).let { client -> Made({ client.get(it, deadline).statusCode() }, client::shutdownNow) } },
        "Apache5Recipe.kt" to { deadline ->
            val client = apache5(AT_ONCE, deadline)
            Made({ uri -> client.answer(uri).await().code }, client::close)
        },
        "SpringWebClientRecipe.kt" to { deadline ->
            val client = springWebClient(AT_ONCE, deadline)
            Made({ status(client, it) }, {})
        },
    )

    @TestFactory
    fun `with its recipe a client has two hundred calls under way at once`(): List<DynamicTest> = recipes.map { (file, made) ->
        dynamicTest(file) {
            with(made(20.seconds)) {
                val statuses =
                    runBlocking { List(AT_ONCE) { async { call(server.baseUrl.resolve("/delay?delay=1&a=recipe$it")) } }.awaitAll() }
                close()
                statuses.distinct() shouldBe listOf(200)
            }
            withClue("most under way at once") { server.evidence().int("peakInFlight") shouldBe AT_ONCE }
            server.reset()
        }
    }

    /** A library without its recipe: a limit that it has by default, and how many calls are asked to see it. */
    private class Default(val held: Int, val asked: Int, val made: () -> Made)

    private val defaults: Map<String, Default> = mapOf(
        "OkHttpRecipe.kt" to Default(held = 5, asked = 12) { OkHttpClient().let { client -> Made({ client.call(it) }, { end(client) }) } },
        "RetrofitRecipe.kt" to Default(held = 5, asked = 12) {
            val client = OkHttpClient()
            val api = Retrofit.Builder().baseUrl("${server.baseUrl}/").client(client).build().create(Api::class.java)
            Made({ api.get("$it").use { 200 } }, { end(client) })
        },
        "KtorOkHttpRecipe.kt" to Default(held = 5, asked = 12) { ktor(HttpClient(OkHttp)) },
        "KtorCioRecipe.kt" to Default(held = 100, asked = 120) { ktor(HttpClient(CIO)) },
        "Apache5Recipe.kt" to Default(held = 5, asked = 12) {
            val client = HttpAsyncClients.createDefault().also { it.start() }
            Made({ uri -> client.answer(uri).await().code }, client::close)
        },
    )

    @TestFactory
    fun `without its recipe the same library has only as many under way as its default allows`(): List<DynamicTest> =
        defaults.map { (file, default) ->
            dynamicTest(file) {
                with(default.made()) {
                    val urls = List(default.asked) { server.baseUrl.resolve("/delay?delay=1&a=default$it") }
                    val statuses = runBlocking { urls.map { async { call(it) } }.awaitAll() }
                    close()
                    statuses.distinct() shouldBe listOf(200)
                }
                withClue("most under way at once") { server.evidence().int("peakInFlight") shouldBe default.held }
                server.reset()
            }
        }

    @TestFactory
    fun `with its recipe a client gives up a server that does not answer`(): List<DynamicTest> = recipes.map { (file, made) ->
        dynamicTest(file) {
            with(made(500.milliseconds)) {
                val (answer, took) = measureTimedValue {
                    runBlocking { runCatching { call(server.baseUrl.resolve("/delay?delay=5&a=hangs")) } }
                }
                close()
                answer.isFailure shouldBe true
                // Apache's client looks at its time-outs once a second.
                took.toDouble(DurationUnit.SECONDS).shouldBeBetween(0.49, 2.5, 0.0)
            }
        }
    }

    @Test
    fun `a recipe as it is shown is the code that is tested, without what only this project needs`() {
        val shown = Recipes.read(Path.of("src/main/kotlin/clientlab/clients/recipes"), Catalogue().recipes)
        recipes.keys shouldBe Catalogue().recipes.values.toSet()
        shown shouldContainKey "com.squareup.okhttp3:okhttp-jvm"
        shown.values.forEach { text ->
            text shouldContain "import "
            text shouldContain "fun "
            text shouldNotContain "internal "
            text shouldNotContain "package "
        }
    }

    private fun ktor(client: HttpClient) = Made({ client.get("$it").status.value }, client::close)

    private interface Api {
        @GET
        suspend fun get(
            @Url url: String,
        ): ResponseBody
    }

    private suspend fun status(client: WebClient, url: URI): Int =
        client.get().uri(url).exchangeToMono { answer -> answer.releaseBody().thenReturn(answer.statusCode().value()) }.toFuture().await()
            ?: 0

    private suspend fun OkHttpClient.call(url: URI): Int = suspendCancellableCoroutine { caller ->
        newCall(Request.Builder().url(url.toURL()).build()).enqueue(
            object : Callback {
                override fun onFailure(call: Call, e: IOException) = caller.resumeWithException(e)

                override fun onResponse(call: Call, response: Response) = response.use { caller.resume(it.code) }
            },
        )
    }

    private fun org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient.answer(url: URI): CompletableFuture<SimpleHttpResponse> {
        val answer = CompletableFuture<SimpleHttpResponse>()
        execute(
            SimpleHttpRequest.create("GET", url),
            object : FutureCallback<SimpleHttpResponse> {
                override fun completed(result: SimpleHttpResponse) {
                    answer.complete(result)
                }

                override fun failed(ex: Exception) {
                    answer.completeExceptionally(ex)
                }

                override fun cancelled() {
                    answer.cancel(false)
                }
            },
        )
        return answer
    }

    private companion object {
        const val AT_ONCE = 200

        fun end(client: OkHttpClient) {
            client.dispatcher.executorService.shutdown()
            client.connectionPool.evictAll()
        }
    }
}
