package clientlab.conduct.connections

import clientlab.conduct.scene.*
import java.util.concurrent.CountDownLatch
import kotlin.time.Duration.Companion.milliseconds

internal val slowAmong = slow(
    "connections.slow-among",
    "Twenty requests are under way at once, each over a connection. Five of the connections are slow, as to a slow server behind a balancer.",
    all = 20,
    slow = 8..12,
)
internal val slowFirst = slow(
    "connections.slow-first",
    "Four requests are under way at once, each over a connection. The connection that was opened first is slow.",
    all = 4,
    slow = 1..1,
)

/**
 * Which connections of its pool a client prefers. The [slow] ones of [all] come back into it last, in the order of their numbers. A pool
 * that takes the last one first keeps to them, and so does one that lets go of those that are idle for longest.
 */
private fun slow(id: String, story: String, all: Int, slow: IntRange) =
    Situation(id, "$story Then the caller sends twenty requests, one after the other.") {
        val allAreThere = CountDownLatch(1)
        val server = server {
            receive()
            allAreThere.await()
            while (true) {
                if (number in slow) pause(SLOWLY)
                answer()
                receive()
            }
        }
        val session = open(server.url, all, timeout = PATIENCE)
        // One after the other, so that connections have the order of their numbers in the pool, too.
        val calls = List(all) { number ->
            session.start("/$number").also {
                if (!server.awaitRequests(number + 1)) return@Situation Observed("not testable: it sends $number requests at once")
            }
        }
        allAreThere.countDown()
        calls.forEach { it.end() }
        pause(LET_RETURN)
        repeat(LATER) { session.ask("/later/$it") }
        val (first, later) = server.requests.map { it.first }.let { it.take(all) to it.drop(all) }
        when {
            first.distinct().size < all -> Observed("not testable: it sends several requests over a connection")
            later.size < LATER -> Observed("some of the twenty do not come")
            later.all { it > all } -> Observed("opens a connection for each of the twenty")
            later.all { it in slow } -> Observed("sends all twenty over a slow connection")
            later.none { it in slow } -> Observed("sends none of the twenty over a slow connection")
            else -> Observed("sends some of the twenty over a slow connection")
        }
    }

private const val LATER = 20
private val SLOWLY = 80.milliseconds
private val LET_RETURN = 100.milliseconds
