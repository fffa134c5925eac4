package clientlab.server.net

import io.netty.util.concurrent.EventExecutor
import java.util.concurrent.TimeUnit

/** A connection that closes itself if its client takes too long. */
internal interface Watched {
    /** Its place in the list of [ConnectionWatch], which alone sets it. */
    var place: Int

    fun closeIfOverdue(now: Long)

    fun close()
}

/**
 * Looks at every connection of a port again and again, one part of them per turn, and closes those whose client takes too long.
 *
 * One timer serves all connections. A timer per connection would double the memory of a waiting connection, and setting it anew for
 * every request would cost more than the request. Each connection is looked at every [ROUND] turns, so a time-out comes up to two
 * seconds late. Not thread-safe: for the one event loop.
 */
internal class ConnectionWatch {
    private val watched = ArrayList<Watched>()
    private var next = 0

    val size: Int get() = watched.size

    fun begin(executor: EventExecutor) {
        executor.scheduleWithFixedDelay(::look, TURN_MS, TURN_MS, TimeUnit.MILLISECONDS)
    }

    fun add(connection: Watched) {
        connection.place = watched.size
        watched += connection
    }

    fun remove(connection: Watched) {
        val last = watched.removeLast()
        if (last === connection) return
        watched[connection.place] = last
        last.place = connection.place
    }

    fun closeAll() {
        watched.toList().forEach { it.close() }
    }

    private fun look() {
        val now = System.nanoTime()
        // A connection that closes leaves its place to the last one, which is looked at in a later turn.
        repeat((watched.size + ROUND - 1) / ROUND) {
            if (next >= watched.size) next = 0
            if (next < watched.size) watched[next].closeIfOverdue(now)
            next++
        }
    }

    private companion object {
        const val TURN_MS = 250L
        const val ROUND = 8
    }
}
