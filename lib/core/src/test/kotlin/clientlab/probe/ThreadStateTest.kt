package clientlab.probe

import clientlab.*
import clientlab.client.*
import clientlab.testing.*
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.net.ServerSocket
import java.net.Socket
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.nio.channels.Selector
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import java.util.concurrent.ForkJoinPool
import java.util.concurrent.LinkedBlockingQueue

/** Every thread here is a real one, held where it is until its test ends. */
class ThreadStateTest {
    private val threads = RealThreads()
    private val server = threads.closing(RunningServer())

    @AfterEach
    fun letGo() = threads.close()

    @Test
    fun `a thread in a busy loop is running`() {
        threads.busy() isDoing ThreadState.Running
    }

    @Test
    fun `a thread that reads from a socket is blocked in a read`() {
        val socket = server.connect()
        threads.start { socket.getInputStream().read() } isDoing ThreadState.BlockedInRead
    }

    @Test
    fun `a thread that reads from a socket with a time-out is blocked in a read`() {
        val socket = server.connect().apply { soTimeout = 600_000 }
        threads.start {
            socket.getInputStream().buffered().reader().readLines()
        } isDoing ThreadState.BlockedInRead
    }

    @Test
    fun `a thread in a select is waiting in a selector`() {
        val selector = threads.closing(Selector.open())
        threads.start { selector.select() } isDoing ThreadState.InSelector
    }

    @Test
    fun `a thread that accepts is waiting, with and without a time-out`() {
        val plain = threads.closing(ServerSocket(0))
        threads.start { plain.accept() } isDoing ThreadState.Waiting
        val timed = threads.closing(ServerSocket(0)).apply { soTimeout = 600_000 }
        threads.start { timed.accept() } isDoing ThreadState.Waiting
    }

    @Test
    fun `a thread that sleeps is waiting`() {
        threads.start { Thread.sleep(600_000) } isDoing ThreadState.Waiting
    }

    @Test
    fun `a thread in Object wait is waiting`() {
        val monitor = Object()
        threads.start { synchronized(monitor) { monitor.wait() } } isDoing ThreadState.Waiting
    }

    @Test
    fun `a thread that is parked in no pool and in no request is waiting`() {
        threads.parked() isDoing ThreadState.Waiting
        threads.start { LinkedBlockingQueue<Int>().take() } isDoing ThreadState.Waiting
    }

    @Test
    fun `a worker of a fixed pool is parked idle after its task`() {
        val pool = threads.closing(Executors.newFixedThreadPool(1, threads.factory("fixed-worker")))
        pool.submit {}.get()
        threads.threads.single() isDoing ThreadState.ParkedIdle
    }

    @Test
    fun `a worker of a cached and of a scheduled pool is parked idle after its task`() {
        val cached = threads.closing(Executors.newCachedThreadPool(threads.factory("cached-worker")))
        cached.submit {}.get()
        threads.threads.last() isDoing ThreadState.ParkedIdle
        val scheduled = threads.closing(Executors.newScheduledThreadPool(1, threads.factory("scheduled-worker")))
        scheduled.submit {}.get()
        threads.threads.last() isDoing ThreadState.ParkedIdle
    }

    @Test
    fun `a worker of a fork-join pool is parked idle after its task`() {
        val pool = threads.closing(ForkJoinPool(1))
        pool.submit<Thread> { Thread.currentThread() }.get() isDoing ThreadState.ParkedIdle
    }

    @Test
    fun `a worker of Dispatchers IO is parked idle after its task`() {
        val worker = runBlocking { withContext(Dispatchers.IO) { Thread.currentThread() } }
        worker isDoing ThreadState.ParkedIdle
    }

    @Test
    fun `a worker of a fork-join pool that is parked in its task is not idle`() {
        val pool = threads.closing(ForkJoinPool(1))
        val worker = CompletableFuture<Thread>()
        pool.execute {
            worker.complete(Thread.currentThread())
            threads.released.await()
        }
        worker.get() isDoing ThreadState.Waiting
        worker.get().isDoing(ThreadState.ParkedInRequest) { it.startsWith(javaClass.name) }
    }

    @Test
    fun `a worker of Dispatchers IO that is parked in its task is not idle`() {
        val worker = CompletableFuture<Thread>()
        CoroutineScope(Dispatchers.IO).async {
            worker.complete(Thread.currentThread())
            threads.released.await()
        }
        worker.get() isDoing ThreadState.Waiting
    }

    @Test
    fun `a caller thread that waits for a future is parked inside a request`() {
        inSession { CompletableFuture<Int>().get() }.isDoing(ThreadState.ParkedInRequest, BLOCKING)
    }

    @Test
    fun `a caller thread in Object wait or asleep is parked inside a request`() {
        inSession { monitor -> synchronized(monitor) { monitor.wait() } }.isDoing(ThreadState.ParkedInRequest, BLOCKING)
        inSession { Thread.sleep(600_000) }.isDoing(ThreadState.ParkedInRequest, BLOCKING)
    }

    @Test
    fun `a caller thread in the JDK client's send is parked inside a request, and the rule of source 000 does not see it`() {
        val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
        val request = HttpRequest.newBuilder(server.address.baseUrl.resolve("/delay?delay=60&a=1")).build()
        val caller = inSession { client.send(request, BodyHandlers.discarding()) }
        eventually { server.evidence().inFlight == 1 }
        caller.isDoing(ThreadState.ParkedInRequest, BLOCKING)
        parkedByTopFrame(caller.stackTrace) shouldBe true
        caller.interrupt()
        client.shutdownNow()
    }

    @Test
    fun `a caller thread that reads is blocked in a read, which is as good as parked inside a request`() {
        val socket: Socket = server.ask(seconds = 60)
        val caller = inSession { socket.getInputStream().read() }
        caller.isDoing(ThreadState.BlockedInRead, BLOCKING)
        parkedByTopFrame(caller.stackTrace) shouldBe false
        ThreadState.entries.filter { it.blocked } shouldBe listOf(ThreadState.BlockedInRead, ThreadState.ParkedInRequest)
    }

    @Test
    fun `a thread of the JVM without a stack is waiting`() {
        threadStateOf(emptyArray()) { true } shouldBe ThreadState.Waiting
    }

    /** A thread that runs [call] as the call of a blocking session. */
    private fun inSession(call: (Object) -> Any?): Thread {
        val caller = CompletableFuture<Thread>()
        val session =
            object : BlockingSession(CallerThreads.Platform) {
                override fun call(request: Request): Reply {
                    caller.complete(Thread.currentThread())
                    call(Object())
                    return Reply(200)
                }
            }
        CoroutineScope(Dispatchers.Unconfined + SupervisorJob()).async { session.send(Request("/")) }
        threads.closing(
            AutoCloseable {
                caller.get().interrupt()
                session.close()
            },
        )
        return caller.get()
    }

    private infix fun Thread.isDoing(expected: ThreadState) = isDoing(expected) { false }

    /** Looks until it is so, and then that it stays so: a state that a thread only passes through would not. */
    private fun Thread.isDoing(expected: ThreadState, inRequest: (String) -> Boolean) {
        eventually({ "expected $expected and saw ${threadStateOf(stackTrace, inRequest)} at\n${stackTrace.joinToString("\n")}" }) {
            List(LOOKS) { threadStateOf(stackTrace, inRequest) }.all { it == expected }
        }
    }

    private companion object {
        const val LOOKS = 50
        val BLOCKING: (String) -> Boolean = { it.startsWith(BlockingSession::class.java.name) }
    }
}
