import clientlab.client.*
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext
import java.io.Serializable
import java.util.concurrent.Executors

/** A cell as the kernel compiles one: a class without a package whose members are what stands at the top of the cell. */
@Suppress("ClassName", "ktlint:standard:class-naming")
class Line_9_jupyter {
    private val status = 200

    class Mine(private val status: Int) : Client {
        override fun open(conditions: Conditions): Session = MySession(conditions, status)
    }

    class MySession(private val conditions: Conditions, private val status: Int) : BlockingSession(CallerThreads.Virtual) {
        override fun call(request: Request): Reply {
            conditions.baseUrl.resolve(request.path).toURL().openStream().use { it.readAllBytes() }
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

    /** What a client captures: data that says of itself that it can be carried, and data that does not. */
    data class Wanted(val statuses: List<Int>) : Serializable

    class Loose(val status: Int)

    fun ofCaptured(): CellClient {
        val wanted = Wanted(listOf(200, 204))
        val headers = mapOf("Accept" to "text/plain")
        return blockingClient("captured", CallerThreads.Virtual) { url ->
            val connection = url.toURL().openConnection()
            headers.forEach(connection::setRequestProperty)
            connection.getInputStream().use { it.readAllBytes() }
            wanted.statuses.first()
        }
    }

    /** Suspends, opens what its calls share, and closes it. */
    class Sharing : Client {
        override fun open(conditions: Conditions): Session {
            val executor = Executors.newVirtualThreadPerTaskExecutor()
            return object : Session {
                override suspend fun send(request: Request): Reply =
                    suspendCancellableCoroutine { continuation ->
                        executor.execute {
                            continuation.resumeWith(
                                runCatching {
                                    val url = conditions.baseUrl.resolve(request.path).toURL()
                                    Reply(200, url.openStream().use { it.readAllBytes() }.size.toLong())
                                },
                            )
                        }
                    }

                override fun close(): Unit = executor.close()
            }
        }
    }

    fun ofSharing(): CellClient = ownClient("sharing", Sharing())

    fun ofOpening(): CellClient {
        val status = 200
        return ownClient("opening") { conditions -> MySession(conditions, status) }
    }

    fun ofLoose(): CellClient {
        val loose = Loose(200)
        return blockingClient("loose") { url ->
            url.toURL().openStream().use { it.readAllBytes() }
            loose.status
        }
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
