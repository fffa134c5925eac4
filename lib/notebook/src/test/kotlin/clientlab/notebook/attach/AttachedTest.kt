package clientlab.notebook.attach

import clientlab.*
import clientlab.attach.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

/** What is said of a look at a service, from looks made by hand. */
class AttachedTest {
    private val full =
        SeenLimit("okhttp3.Dispatcher", "maxRequestsPerHost", 37, 37, 263, "shop.Prices > Prices.client > OkHttpClient.dispatcher")
    private val roomy = full.copy(setting = "maxRequests", limit = 500)

    private fun attached(
        vararg limits: SeenLimit,
        threads: List<SeenThreads> = emptyList(),
        numbers: List<SeenNumber> = emptyList(),
        peers: Int = 0,
    ): Attached {
        val seen = SeenService(command = "shop.Main", limits = limits.asList(), threads = threads, numbers = numbers)
        return Attached(4711, seen, List(peers) { ServiceConnection(it, "a:80", "ESTABLISHED", null) })
    }

    @Test
    fun `a limit that is reached has its owner and the line that mends it, and comes first`() {
        val shop = attached(roomy, full)
        shop.findings().single() shouldBe
            "okhttp3.Dispatcher.maxRequestsPerHost is 37: 37 are taken, and 263 wait. " +
            "It belongs to shop.Prices → Prices.client → OkHttpClient.dispatcher. " +
            "This line lets them through: dispatcher.maxRequestsPerHost = 300"
        shop.limits().rows().map { it["limit"] }.toList() shouldContainExactly
            listOf("okhttp3.Dispatcher.maxRequestsPerHost", "okhttp3.Dispatcher.maxRequests")
        shop.toString() shouldStartWith "shop.Main (4711), Java "
    }

    @Test
    fun `a service that waits for nothing has no finding`() {
        attached(roomy).findings().shouldBeEmpty()
        attached(roomy).toString() shouldContain "No limit is reached that the agent knows."
    }

    @Test
    fun `workers that all wait in runBlocking while tasks wait for a worker are a circle`() {
        val io = SeenLimit("Dispatchers.IO", "parallelism", 64, 64, 10, "kotlinx.coroutines.Dispatchers.IO")
        val stack = listOf("jdk.internal.misc.Unsafe.park", "kotlinx.coroutines.BlockingCoroutine.joinBlocking")
        val workers = SeenThreads("DefaultDispatcher-worker-1", "WAITING", stack, 64)
        attached(io, threads = listOf(workers)).findings().last() shouldStartWith
            "64 workers wait in runBlocking, and 10 tasks wait for a worker of"
        attached(io, threads = listOf(workers.copy(count = 63))).findings().size shouldBe 1
        attached(io, threads = listOf(workers.copy(name = "main"))).findings().size shouldBe 1
    }

    @Test
    fun `where no known limit is reached, a number that equals what is under way is named, and not called the limit`() {
        val numbers = listOf(SeenNumber("shop.Gate.maxCalls", 37), SeenNumber("shop.Other.maxCalls", 38))
        attached(roomy, numbers = numbers, peers = 37).findings().single() shouldBe
            "37 are under way, and that is the number in shop.Gate.maxCalls. Nothing else says that it is the limit."
        attached(full, numbers = numbers, peers = 37).findings().single() shouldContain "maxRequestsPerHost"
    }

    @Test
    fun `virtual threads stand together, whatever their names, beside the owners of platform threads`() {
        val stack = listOf("java.lang.VirtualThread.park", "shop.Prices.of")
        val waiting = List(2) { SeenThreads("price-$it", "WAITING", stack + "$it", 100, virtual = true) }
        val rows = attached(roomy, threads = waiting + SeenThreads("main", "WAITING", stack, 1)).threads().rows()
        rows.map { "${it["owner"]} ${it["threads"]}" }.toList().first() shouldBe "virtual threads 200"
    }

    @Test
    fun `a process that is not there, and this one, are refused with those that can be seen`() {
        shouldThrow<LabException> { attach(Long.MAX_VALUE) }.message shouldStartWith
            "There is no process ${Long.MAX_VALUE}. These JVMs can be seen: "
        val own = ProcessHandle.current().pid()
        jvms().rows().none { it["pid"] == own } shouldBe true
        shouldThrow<LabException> { attach(own) }.message shouldStartWith "$own is this process itself"
    }
}
