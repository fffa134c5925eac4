package clientlab.agent

import java.lang.reflect.Field
import java.util.concurrent.Semaphore
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.atomic.AtomicInteger

/**
 * A limit that an object holds.
 *
 * @property setting what sets it, as its library names it.
 * @property used how much of it is taken, or null if the object does not say.
 * @property waiting how many wait for it.
 */
internal class LimitSeen(
    private val type: String,
    val setting: String,
    private val limit: Int,
    private val used: Int?,
    private val waiting: Int,
    val path: String = "",
) {
    fun at(path: String): LimitSeen = LimitSeen(type, setting, limit, used, waiting, path)

    fun asMap(): Map<String, Any?> =
        mapOf("type" to type, "setting" to setting, "limit" to limit, "used" to used, "waiting" to waiting, "path" to path)
}

/** The limits of objects of known kinds, read from their fields. A library that has renamed its fields gives none. */
internal object Limits {
    fun of(value: Any): List<LimitSeen> {
        val kind =
            generateSequence<Class<*>>(value.javaClass) { it.superclass }.firstNotNullOfOrNull { KINDS[it.name] } ?: return emptyList()
        return kind(Peek(value))
    }

    private val KINDS: Map<String, (Peek) -> List<LimitSeen>> = mapOf(
        "okhttp3.Dispatcher" to ::okHttp,
        "kotlinx.coroutines.sync.SemaphoreAndMutexImpl" to ::semaphore,
        "kotlinx.coroutines.sync.SemaphoreImpl" to ::semaphore,
        "kotlinx.coroutines.internal.LimitedDispatcher" to ::dispatcher,
        "io.ktor.client.engine.cio.ConnectionFactory" to ::cio,
        "java.util.concurrent.ThreadPoolExecutor" to ::pool,
        "java.util.concurrent.Semaphore" to ::permits,
        "org.apache.hc.core5.pool.StrictConnPool" to ::apache,
        "org.apache.http.nio.pool.AbstractNIOConnPool" to ::apache4,
        "org.apache.http.pool.AbstractConnPool" to ::apache4,
        "org.eclipse.jetty.client.transport.HttpDestination" to ::jetty,
        "io.vertx.core.internal.pool.SimpleConnectionPool" to ::vertx,
        "reactor.netty.internal.shaded.reactor.pool.SimpleDequePool" to ::reactor,
        "reactor.pool.SimpleDequePool" to ::reactor,
    )

    private fun okHttp(it: Peek): List<LimitSeen> {
        val running = it.elements("runningAsyncCalls")
        val ready = it.size("readyAsyncCalls")
        val perHost = running.mapNotNull { call -> (Peek(call).any("callsPerHost") as? AtomicInteger)?.get() }.maxOrNull() ?: 0
        return listOf(
            LimitSeen("okhttp3.Dispatcher", "maxRequests", it.int("maxRequests"), running.size, ready),
            LimitSeen("okhttp3.Dispatcher", "maxRequestsPerHost", it.int("maxRequestsPerHost"), perHost, ready),
        )
    }

    /** One permit is a mutex, and no limit that anybody forgot. */
    private fun semaphore(it: Peek): List<LimitSeen> {
        val permits = it.int("permits")
        val free = it.int("_availablePermits\$volatile", "_availablePermits")
        val taken = LimitSeen("kotlinx.coroutines.sync.Semaphore", "permits", permits, permits - maxOf(0, free), maxOf(0, -free))
        return if (permits > 1) listOf(taken) else emptyList()
    }

    private fun dispatcher(it: Peek): List<LimitSeen> {
        val queue = Peek(it.any("queue")!!).any("_cur\$volatile", "_cur")!!
        val state = Peek(queue).long("_state\$volatile", "_state")
        val waiting = ((state shr QUEUE_BITS) - state and QUEUE_MASK).toInt()
        val name = it.anyOrNull("name")?.toString() ?: "limitedParallelism"
        return listOf(LimitSeen(name, "parallelism", it.int("parallelism"), it.int("runningWorkers\$volatile", "runningWorkers"), waiting))
    }

    private fun cio(it: Peek): List<LimitSeen> {
        val routes = (
            it.any(
                "addressLimit",
            ) as? Map<*, *>
        )?.values.orEmpty().filterNotNull().flatMap { semaphore(Peek(it)) }.map { it.asMap() }
        val perRoute = LimitSeen(
            "io.ktor.client.engine.cio.CIOEngine",
            "endpoint.maxConnectionsPerRoute",
            it.int("addressConnectionsLimit"),
            routes.maxOfOrNull { it["used"] as Int } ?: 0,
            routes.sumOf { it["waiting"] as Int },
        )
        return listOf(perRoute)
    }

    /** With a queue that has no end, a pool never grows beyond its core. */
    private fun pool(it: Peek): List<LimitSeen> {
        val pool = it.value as ThreadPoolExecutor
        val limit = if (pool.queue.remainingCapacity() == Int.MAX_VALUE) pool.corePoolSize else pool.maximumPoolSize
        val threads = (it.any("ctl") as AtomicInteger).get() and WORKERS
        return if (limit ==
            Int.MAX_VALUE
        ) {
            emptyList()
        } else {
            listOf(LimitSeen("java.util.concurrent.ThreadPoolExecutor", "threads", limit, threads, pool.queue.size))
        }
    }

    /** It does not know how many permits it had, so it says something only where somebody waits. */
    private fun permits(it: Peek): List<LimitSeen> {
        val waiting = (it.value as Semaphore).queueLength
        return if (waiting == 0) emptyList() else listOf(LimitSeen("java.util.concurrent.Semaphore", "permits", 0, null, waiting))
    }

    private fun apache(it: Peek): List<LimitSeen> {
        val routes = (it.any("routeToPool") as? Map<*, *>)?.values.orEmpty().filterNotNull().map { route -> Peek(route).size("leased") }
        val pending = it.size("pendingRequests")
        return listOf(
            LimitSeen("org.apache.hc.core5.pool.StrictConnPool", "maxConnTotal", it.int("maxTotal"), it.size("leased"), pending),
            LimitSeen(
                "org.apache.hc.core5.pool.StrictConnPool",
                "maxConnPerRoute",
                it.int("defaultMaxPerRoute"),
                routes.maxOrNull() ?: 0,
                pending,
            ),
        )
    }

    private fun apache4(it: Peek): List<LimitSeen> {
        val waiting = it.size("leasingRequests", "pending")
        // In the asynchronous pool a connection that is being made is not leased yet.
        val connecting = if (it.has("leasingRequests")) it.size("pending") else 0
        return listOf(LimitSeen("org.apache.http.pool", "maxConnTotal", it.int("maxTotal"), it.size("leased") + connecting, waiting))
    }

    private fun jetty(it: Peek): List<LimitSeen> {
        val pool = Peek(Peek(it.any("connectionPool")!!).any("pool")!!)
        val open = pool.size("entries")
        return listOf(
            LimitSeen(
                "org.eclipse.jetty.client.HttpClient",
                "maxConnectionsPerDestination",
                pool.int("maxSize"),
                open,
                it.size("exchanges"),
            ),
        )
    }

    private fun vertx(it: Peek): List<LimitSeen> {
        val waiting = Peek(it.any("waiters")!!).int("size")
        return listOf(LimitSeen("io.vertx.core.http.HttpClient", "http1MaxSize", it.int("maxCapacity"), it.int("capacity"), waiting))
    }

    private fun reactor(it: Peek): List<LimitSeen> {
        val strategy = Peek(Peek(it.any("poolConfig")!!).any("allocationStrategy")!!)
        return listOf(
            LimitSeen(
                "reactor.netty.resources.ConnectionProvider",
                "maxConnections",
                strategy.int("max"),
                it.int("acquired"),
                it.int("pendingSize"),
            ),
        )
    }

    private const val QUEUE_BITS = 30
    private const val QUEUE_MASK = (1L shl QUEUE_BITS) - 1
    private const val WORKERS = (1 shl 29) - 1
}

/** The fields of an object by their names, of which the first that is there counts. */
internal class Peek(val value: Any) {
    fun int(vararg names: String): Int = (field(names) ?: error("no ${names.asList()}")).get(value) as Int

    fun long(vararg names: String): Long = (field(names) ?: error("no ${names.asList()}")).get(value) as Long

    fun any(vararg names: String): Any? = (field(names) ?: error("no ${names.asList()}")).get(value)

    fun anyOrNull(vararg names: String): Any? = field(names)?.get(value)

    fun has(name: String): Boolean = field(arrayOf(name)) != null

    fun size(vararg names: String): Int = when (val all = any(*names)) {
        is Collection<*> -> all.size
        is Map<*, *> -> all.size
        else -> error("${names.asList()} is no collection")
    }

    fun elements(name: String): List<Any> = (any(name) as Collection<*>).toTypedArray().filterNotNull()

    private fun field(names: Array<out String>): Field? =
        generateSequence<Class<*>>(value.javaClass) { it.superclass }
            .flatMap(::fieldsOf)
            .filter { it.name in names }
            .minByOrNull { names.indexOf(it.name) }
            ?.apply { isAccessible = true }
}
