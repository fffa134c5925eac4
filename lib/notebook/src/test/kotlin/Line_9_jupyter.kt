import clientlab.client.BlockingSession
import clientlab.client.CallerThreads
import clientlab.client.CellClient
import clientlab.client.Client
import clientlab.client.Conditions
import clientlab.client.Reply
import clientlab.client.Request
import clientlab.client.Session
import clientlab.client.blockingClient
import clientlab.client.ownClient
import clientlab.client.suspendingClient
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

/** A cell as the kernel compiles one: a class without a package whose members are what stands at the top of the cell. */
@Suppress("ClassName", "ktlint:standard:class-naming")
class Line_9_jupyter {
    private val status = 200

    class Mine(
        private val status: Int,
    ) : Client {
        override fun open(conditions: Conditions): Session = MySession(conditions, status)
    }

    class MySession(
        private val conditions: Conditions,
        private val status: Int,
    ) : BlockingSession(CallerThreads.Virtual) {
        override fun call(request: Request): Reply {
            conditions.baseUrl
                .resolve(request.path)
                .toURL()
                .openStream()
                .use { it.readAllBytes() }
            return Reply(status)
        }
    }

    object Alone : Client {
        private fun readResolve(): Any = Alone

        override fun open(conditions: Conditions): Session = MySession(conditions, 200)
    }

    /** Stands in the same cell, and no client uses it. */
    object Bystander {
        var calls = 0
    }

    fun ofClass(): CellClient = ownClient("class", Mine(200))

    fun ofObject(): CellClient = ownClient("object", Alone)

    fun ofLambda(): CellClient {
        val answer = 200
        return blockingClient("lambda") { url ->
            url.toURL().openStream().use { it.readAllBytes() }
            answer
        }
    }

    fun ofSuspending(): CellClient =
        suspendingClient("suspending") { url ->
            withContext(Dispatchers.IO) { url.toURL().openStream().use { it.readAllBytes() } }
            200
        }

    fun ofTop(): CellClient =
        blockingClient("top") { url ->
            url.toURL().openStream().use { it.readAllBytes() }
            status
        }

    fun ofLive(): CellClient {
        val live = Thread.currentThread()
        return blockingClient("live") { url ->
            url.toURL().openStream().use { it.readAllBytes() }
            live.priority
        }
    }
}
