package clientlab.conduct.scene

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import java.io.NotSerializableException
import java.net.InetAddress
import java.net.URI
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.ThreadFactory
import java.util.concurrent.TimeUnit
import kotlin.time.Duration

/** What a situation works with: servers that it writes, whose answers usually have the body [usual], and sessions of the [client]. [close] ends all. */
internal class Scene(private val client: Client, private val certificates: Lazy<Certificates>, private val usual: String) : AutoCloseable {
    private val threads = Executors.newCachedThreadPool(NAMED)
    private val scope = CoroutineScope(SupervisorJob() + threads.asCoroutineDispatcher())
    private val servers = ConcurrentLinkedQueue<AutoCloseable>()
    private val sessions = ConcurrentLinkedQueue<Session>()

    /** What has happened so far. */
    val events: Events = Events()

    /** A server whose connections each run [script]. */
    fun server(script: Connection.() -> Unit): ScriptedServer = server(InetAddress.getLoopbackAddress(), script = script)

    /** A server at [address], and at [port] if that is not 0; throws [java.net.BindException] where this system has no such address. */
    fun server(address: InetAddress, port: Int = 0, script: Connection.() -> Unit): ScriptedServer =
        keep(ScriptedServer(events, address, port, tls = null, usual = usual, script = script))

    /** A server that speaks TLS with [certificate]. */
    fun server(certificate: Certificate, script: Connection.() -> Unit): ScriptedServer =
        certificates.value.context(certificate).let { tls ->
            keep(ScriptedServer(events, InetAddress.getLoopbackAddress(), atPort = 0, tls, usual = usual, script = script))
        }

    /** A server that speaks HTTP/2 over TLS, and allows so many [streams] at once on a connection. */
    fun http2(streams: Int = 100, script: Http2Connection.() -> Unit): ScriptedServer {
        val tls = certificates.value.context(Certificate.Own)
        val speak: Connection.() -> Unit = { Http2Connection(this).apply { begin(streams) }.script() }
        return keep(ScriptedServer(events, InetAddress.getLoopbackAddress(), atPort = 0, tls, alpn = "h2", usual, speak))
    }

    /** A session with [server] in HTTP/2. */
    fun openHttp2(server: ScriptedServer): Session = open(server.url, protocol = Protocol.Http2)

    /**
     * What [look] observes of a program of its own that does [task] with the client and [server]; not testable if the client cannot be carried
     * to another process, or if the program does not get as far as its last line, which [look] is given.
     */
    suspend fun program(server: ScriptedServer, task: ProgramTask, look: (Program, String) -> Observed): Observed =
        withContext(Dispatchers.IO) {
            try {
                val program = keep(Program(client, server.url, task))
                program.lastLine()?.let { look(program, it) }
                    ?: Observed("not testable: the program did not come to its end: ${program.words()}")
            } catch (stays: NotSerializableException) {
                Observed("not testable: the client cannot be carried to another process, because of ${stays.message}")
            }
        }

    /** A name that has [addresses], in their order, until the scene ends. */
    fun name(vararg addresses: InetAddress): Name = keep(Name(addresses.toList()))

    /** Waits so long without a thread. */
    suspend fun pause(length: Duration): Unit = delay(length)

    /** [server] ends with the scene. */
    fun <S : AutoCloseable> keep(server: S): S = server.also { servers += it }

    /** A session with the server at [url], for [inFlight] requests at once, with every time-out and the deadline at [timeout]. */
    fun open(
        url: URI,
        inFlight: Int = USUAL_IN_FLIGHT,
        protocol: Protocol = protocolOf(url),
        timeout: Duration = TIMEOUT,
    ): Session = client.open(Conditions(url, inFlight, protocol, timeout = timeout, deadline = timeout)).also { sessions += it }

    private fun protocolOf(url: URI) = if (url.scheme == "https") Protocol.Https1 else Protocol.Http1

    fun open(server: ScriptedServer, inFlight: Int = USUAL_IN_FLIGHT): Session = open(server.url, inFlight)

    /** Sends a request through this session and does not wait for its end. [on] are the caller's threads. */
    fun Session.start(path: String = "/", method: String = "GET", bodyBytes: Long = 0, on: ExecutorService = threads): Call =
        start(Request(path, method, bodyBytes), on)

    /** Sends [request] through this session and does not wait for its end. */
    fun Session.start(request: Request, on: ExecutorService = threads): Call {
        val call = Call(events, "${request.method} ${request.path}")
        call.job = (scope + on).launch {
            val ending = try {
                val reply = send(request)
                Ending.Answered(reply, call.ms)
            } catch (e: Throwable) {
                Ending.Failed(e, call.ms)
            }
            call.endedWith(ending)
        }
        return call
    }

    /** Sends a request through this session and waits for its end, at most for the patience of a situation. */
    suspend fun Session.ask(path: String = "/", method: String = "GET", bodyBytes: Long = 0): Ending = start(path, method, bodyBytes).end()

    /** Threads of a caller, [number] of them. */
    fun callers(number: Int): ExecutorService =
        Executors.newFixedThreadPool(number, NAMED).also { pool -> keep(AutoCloseable { pool.shutdownNow() }) }

    private operator fun CoroutineScope.plus(on: ExecutorService) = CoroutineScope(coroutineContext + on.asCoroutineDispatcher())

    override fun close() {
        scope.coroutineContext[Job]?.cancel()
        servers.forEach { it.close() }
        // A session may wait for calls that never end.
        val closing = sessions.map { session -> threads.submit(Runnable { session.close() }) }
        closing.forEach { runCatching { it.get(CLOSE_MS, TimeUnit.MILLISECONDS) } }
        threads.shutdown()
    }

    private companion object {
        const val USUAL_IN_FLIGHT = 10
        const val CLOSE_MS = 1_000L
        val NAMED = ThreadFactory { work -> Thread(work, "${ThreadOwners.HARNESS_PREFIX}conduct").apply { isDaemon = true } }
    }
}

/** A [request] under way. */
internal class Call(private val events: Events, private val request: String) {
    private val askedNanos = System.nanoTime()
    private val ended = CompletableDeferred<Ending>()
    lateinit var job: Job

    init {
        events.note(Event.Who.Caller, "asks $request")
    }

    /** Whether it has ended. */
    val over: Boolean get() = ended.isCompleted

    /** Milliseconds since it was asked. */
    val ms: Double get() = (System.nanoTime() - askedNanos) / 1e6

    /** Its end, or that it still waits when [within] is over. Throws [UnsupportedRequest] where the adapter cannot send it. */
    suspend fun end(within: Duration = PATIENCE): Ending {
        val ending = withTimeoutOrNull(within) { ended.await() } ?: Ending.Pending(ms)
        ((ending as? Ending.Failed)?.failure as? UnsupportedRequest)?.let { throw it }
        return ending
    }

    fun endedWith(ending: Ending) {
        events.note(Event.Who.Caller, "$request: ${ending.words}")
        ended.complete(ending)
    }

    fun cancel() {
        events.note(Event.Who.Caller, "cancels $request")
        job.cancel()
    }
}
