package clientlab.junit

import clientlab.client.*
import java.net.URI

/** Makes a client for the base address of a server, as your service does. */
public fun interface Opening<C> {
    @Throws(Exception::class)
    public fun open(url: URI): C
}

/** Makes one call with a client, and waits for its end. */
public fun interface Calling<C> {
    @Throws(Exception::class)
    public fun call(client: C)
}

/** Makes one call with a client, and suspends until its end. */
public fun interface SuspendingCalling<C> {
    public suspend fun call(client: C)
}

/**
 * The client that a test is about: how your code makes it for an address, and how it calls. What it makes is closed if it is
 * [AutoCloseable].
 */
public class TestedClient<C : Any> private constructor(
    private val opening: Opening<C>,
    private val blocking: Calling<C>?,
    private val suspending: SuspendingCalling<C>?,
    private val post: Calling<C>?,
) : Client {
    /** The same, with the call that sends a POST, for situations in which the server is sent one. */
    public fun posting(call: Calling<C>): TestedClient<C> = TestedClient(opening, blocking, suspending, call)

    override fun open(conditions: Conditions): Session {
        val client = opening.open(conditions.baseUrl)
        return if (suspending == null) Blocking(client) else Suspending(client, suspending)
    }

    private inner class Blocking(private val client: C) : BlockingSession(CallerThreads.Platform) {
        override fun call(request: Request): Reply {
            (if (request.method == "POST") posting() else blocking!!).call(client)
            return DONE
        }

        override fun close() {
            (client as? AutoCloseable)?.close()
            super.close()
        }
    }

    private inner class Suspending(private val client: C, private val get: SuspendingCalling<C>) : Session {
        private val posts = Blocking(client)

        override suspend fun send(request: Request): Reply {
            if (request.method == "POST") return posts.send(request)
            get.call(client)
            return DONE
        }

        override fun close(): Unit = posts.close()
    }

    private fun posting(): Calling<C> =
        post ?: throw UnsupportedRequest("this test says no call that sends a POST: add posting { … } to its client")

    public companion object {
        /** A call that fails throws, so one that returns has its answer. */
        private val DONE = Reply(200)

        /** A client whose calls block. Each runs on a platform thread of its own. */
        @JvmStatic
        public fun <C : Any> blocking(open: Opening<C>, call: Calling<C>): TestedClient<C> = TestedClient(open, call, null, null)

        /** A client whose calls suspend. */
        public fun <C : Any> suspending(open: Opening<C>, call: SuspendingCalling<C>): TestedClient<C> =
            TestedClient(open, null, call, null)
    }
}
