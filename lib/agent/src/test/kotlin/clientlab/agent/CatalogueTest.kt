package clientlab.agent

import clientlab.*
import clientlab.client.*
import io.kotest.assertions.withClue
import io.kotest.matchers.ints.shouldBeGreaterThan
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory
import java.net.ServerSocket
import java.net.Socket
import java.net.URI
import java.util.ServiceLoader
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/** Every client of the catalogue that comes with a limit: the walk finds that limit, with what waits, while a server is silent. */
class CatalogueTest {
    @TestFactory
    fun `the limit that a client comes with is found while its requests wait`(): List<DynamicTest> =
        ServiceLoader
            .load(ClientCatalogue::class.java)
            .single()
            .entries
            .filter { it.info.id.endsWith("@default") && it.info.limit != null }
            .also { it.size shouldBeGreaterThan 5 }
            .map { entry -> dynamicTest(entry.info.id) { findsLimitOf(entry) } }

    private fun findsLimitOf(entry: CatalogueEntry) {
        val limit = entry.info.limit!!
        ServerSocket(0, limit + MORE).use { silent ->
            val taken = CopyOnWriteArrayList<Socket>()
            thread(isDaemon = true) { runCatching { while (true) taken += silent.accept() } }
            val session = entry.create().open(Conditions(URI("http://127.0.0.1:${silent.localPort}"), limit + MORE))
            val calls = CoroutineScope(Dispatchers.Default)
            try {
                repeat(limit + MORE) { calls.launch { runCatching { session.send(Request("/")) } } }
                withClue("limits of ${entry.info.id}") { seenWithin(limit, session) }
            } finally {
                calls.cancel()
                taken.forEach { it.close() }
                session.close()
            }
        }
    }

    /** Walks until the limit is full, and something waits for it. */
    private fun seenWithin(limit: Int, session: Session) {
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S)
        var seen = emptyList<Map<String, Any?>>()
        while (System.nanoTime() < end) {
            val walk = HeapWalk()
            walk.begin("session", session)
            SHARED.forEach { (type, field) -> walk.begin(type, shared(type, field)) }
            walk.walk()
            seen = walk.limits.map { it.asMap() }
            if (seen.any { it["limit"] == limit && (it["used"] as? Int ?: 0) >= limit && it["waiting"] as Int > 0 }) return
            Thread.sleep(PAUSE_MS)
        }
        error("$limit is not among $seen")
    }

    /** What all clients of a process share is behind a static field, where the agent begins. */
    private fun shared(
        type: String,
        field: String,
    ): Any = Class.forName(type).getDeclaredField(field).apply { isAccessible = true }.get(null)

    private companion object {
        val SHARED = listOf(
            "kotlinx.coroutines.scheduling.DefaultIoScheduler" to "default",
            "reactor.netty.http.HttpResources" to "httpResources",
        )
        const val MORE = 10
        const val PATIENCE_S = 60L
        const val PAUSE_MS = 100L
    }
}
