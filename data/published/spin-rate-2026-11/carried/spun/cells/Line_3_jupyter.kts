import java.lang.management.ManagementFactory
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import kotlinx.coroutines.future.await

class SpinSession(private val conditions: Conditions, private val spinNanos: Long) : Session {
    private val http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
    private val threads = ManagementFactory.getThreadMXBean()

    override suspend fun send(request: Request): Reply {
        val asked = HttpRequest.newBuilder(conditions.baseUrl.resolve(request.path)).build()
        val answered = http.sendAsync(asked, BodyHandlers.ofByteArray()).thenApply { answer ->
            if (spinNanos > 0) {
                val end = threads.currentThreadCpuTime + spinNanos
                while (threads.currentThreadCpuTime < end) Thread.onSpinWait()
            }
            Reply(answer.statusCode(), answer.body().size.toLong())
        }
        return answered.await()
    }

    override fun close() = http.close()
}

val plain = ownClient("plain") { conditions -> SpinSession(conditions, 0) }
val spun = ownClient("spun") { conditions -> SpinSession(conditions, 100_000) }
