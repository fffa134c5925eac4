package clientlab.agent

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.Semaphore
import okhttp3.Dispatcher
import okhttp3.OkHttpClient
import org.junit.jupiter.api.Test
import sample.Warehouse
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit

/** What a walk finds in objects of real libraries, and how it names the way to them. */
class HeapWalkTest {
    private fun walked(value: Any, most: Int = 400_000) = HeapWalk(most).apply {
        begin("shop", value)
        walk()
    }

    private fun HeapWalk.limit(setting: String) = limits.map { it.asMap() }.single { it["setting"] == setting }

    @Test
    fun `the limits of OkHttp are found behind the object that holds the client`() {
        val client = OkHttpClient.Builder().dispatcher(Dispatcher().apply { maxRequestsPerHost = 37 }).build()
        val limit = walked(listOf(Warehouse(client))).limit("maxRequestsPerHost")
        listOf("limit", "used", "waiting").map { limit[it] } shouldBe listOf(37, 0, 0)
        limit["path"].toString() shouldEndWith "Warehouse.client > OkHttpClient.dispatcher"
    }

    @Test
    fun `a number counts where its field is named like a limit`() {
        val numbers = walked(Warehouse(OkHttpClient())).numbers.map { it.asMap() }
        numbers shouldContain mapOf("path" to "shop.maxShelves", "value" to 91L)
        numbers.none { it["value"] == 92L } shouldBe true
    }

    @Test
    fun `a semaphore of coroutines says how many permits are taken, and a mutex is no limit`() {
        val semaphore = Semaphore(3)
        runBlocking { repeat(2) { semaphore.acquire() } }
        walked(listOf(semaphore, Mutex())).limits.map { it.asMap() }.single().let { it["limit"] to it["used"] } shouldBe (3 to 2)
    }

    @Test
    fun `a pool of threads is full at its core where its queue has no end`() {
        val pool = Executors.newFixedThreadPool(2)
        try {
            repeat(5) { pool.execute { Thread.sleep(60_000) } }
            val limit = walked(listOf(pool)).limit("threads")
            listOf("limit", "used", "waiting").map { limit[it] } shouldBe listOf(2, 2, 3)
        } finally {
            pool.shutdownNow()
            pool.awaitTermination(1, TimeUnit.MINUTES)
        }
    }

    @Test
    fun `a dispatcher with a limited parallelism is found`() {
        walked(listOf(Dispatchers.IO.limitedParallelism(37))).limits.map { it.asMap()["limit"] } shouldContain 37
    }

    @Test
    fun `a walk ends where it has seen enough, and says so`() {
        val all = List(1_000) { Any() }
        walked(all).whole shouldBe true
        val part = walked(all, most = 100)
        part.whole shouldBe false
        part.objects shouldBeLessThan 1_200
    }

    @Test
    fun `the way from an object of the service's own is taken where there is one`() {
        val dispatcher = Dispatcher()
        val warehouse = Warehouse(OkHttpClient.Builder().dispatcher(dispatcher).build())
        val from = HeapWalk().apply {
            begin("a request", dispatcher)
            begin("a root", warehouse)
            walk()
        }
        OwnClasses.has(dispatcher.javaClass) shouldBe false
        val own = HeapWalk().apply {
            begin("shop.Warehouse", warehouse)
            walk()
        }
        from.limits.map { it.asMap()["path"] }.distinct() shouldBe listOf("a request")
        from.limitsAsIn(own).map { it.second.asMap()["path"].toString() }.distinct().shouldHaveSize(1).single() shouldEndWith
            "OkHttpClient.dispatcher"
    }

    @Test
    fun `an object without limits gives none`() {
        walked(listOf("a", 1, Any())).limits.shouldBeEmpty()
    }

    @Test
    fun `what was seen is JSON`() {
        Json.of(mapOf("a" to listOf(1, null, true, "\"b\"\n"), "c" to emptyMap<String, Any>())) shouldBe
            """{"a":[1,null,true,"\"b\"\u000a"],"c":{}}"""
    }

    @Test
    fun `the libraries that are loaded have the versions of their jars`() {
        val found = Libraries.among(listOf(OkHttpClient::class.java, String::class.java)).single().asMap()
        found["name"] shouldBe "OkHttp"
        found["version"].toString().substringBefore('.').toIntOrNull().shouldNotBeNull()
    }
}
