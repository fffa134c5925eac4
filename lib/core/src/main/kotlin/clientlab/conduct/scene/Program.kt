package clientlab.conduct.scene

import clientlab.*
import clientlab.client.*
import clientlab.trial.*
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.Serializable
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.io.ObjectInputStream
import java.io.ObjectOutputStream
import java.net.URI
import java.util.Base64
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.time.Duration

/** What a [Program] does before it returns from `main`. */
internal enum class ProgramTask {
    /** It sends one request. */
    Sends,

    /** It sends one request and closes the client. */
    SendsAndCloses,

    /** It lets every thread of `Dispatchers.IO` wait in `runBlocking` for an answer. Its last word is how many have one, of how many. */
    WaitsOnEveryIoThread,
}

/**
 * A program in a process of its own, which does [task] with [client] and the server at [url]. What it does to its process does no harm to
 * other situations; [close] ends it.
 */
internal class Program(client: Client, url: URI, task: ProgramTask) : AutoCloseable {
    private val jvm = ChildJvm("program", OPTIONS + IO + listOf("-cp", System.getProperty("java.class.path"), ProgramMain::class.java.name))

    init {
        jvm.tell(LabJson.encodeToString(ProgramSpec(serialized(client), url.toString(), task)))
    }

    /** The line that it says last, or null if it ended without one; why is in [words]. */
    fun lastLine(): String? = jvm.reply()

    fun words(): String = jvm.words() ?: "it said nothing"

    /** How long it takes to end from now, in ms, or null if it takes longer than [within]. */
    fun endMs(within: Duration): Double? {
        val began = System.nanoTime()
        while (jvm.alive) {
            if (System.nanoTime() - began > within.inWholeNanoseconds) return null
            Thread.sleep(LOOK_MS)
        }
        return (System.nanoTime() - began) / NANOS_PER_MILLI
    }

    override fun close(): Unit = jvm.close()

    private companion object {
        /** It has to start soon. */
        val OPTIONS = listOf("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m", "-XX:-UsePerfData")

        /** As many threads of `Dispatchers.IO` as this JVM has. */
        val IO = listOfNotNull(System.getProperty(IO_PARALLELISM)?.let { "-D$IO_PARALLELISM=$it" })
        const val LOOK_MS = 5L
        const val NANOS_PER_MILLI = 1e6

        fun serialized(client: Client): String {
            val bytes = ByteArrayOutputStream()
            ObjectOutputStream(bytes).use { it.writeObject(client) }
            return Base64.getEncoder().encodeToString(bytes.toByteArray())
        }
    }
}

/** What a [Program] does, as JSON on its standard input. [client] is serialized, in Base64. */
@Serializable
internal data class ProgramSpec(val client: String, val url: String, val task: ProgramTask)

/** The main of a [Program]. */
internal object ProgramMain {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val out = System.out
        System.setOut(System.err)
        val spec = LabJson.decodeFromString<ProgramSpec>(readln())
        endWithParent()
        val client = ObjectInputStream(ByteArrayInputStream(Base64.getDecoder().decode(spec.client))).use { it.readObject() as Client }
        val session = client.open(Conditions(URI(spec.url), IO_THREADS, timeout = TIMEOUT * 10, deadline = TIMEOUT * 10))
        runBlocking { session.send(Request("/")) }
        if (spec.task == ProgramTask.SendsAndCloses) session.close()
        out.println(if (spec.task == ProgramTask.WaitsOnEveryIoThread) "${answeredOnIo(session)} of $IO_THREADS" else "returns")
    }

    /** How many threads of `Dispatchers.IO`, which all wait at the same time, get their answer. */
    private fun answeredOnIo(session: Session): Int {
        val together = CountDownLatch(IO_THREADS)
        val answers = CountDownLatch(IO_THREADS)
        repeat(IO_THREADS) { number ->
            CoroutineScope(Dispatchers.IO).launch {
                together.countDown()
                together.await()
                runBlocking { session.send(Request("/$number")) }
                answers.countDown()
            }
        }
        answers.await(PATIENCE.inWholeMilliseconds, TimeUnit.MILLISECONDS)
        return IO_THREADS - answers.count.toInt()
    }

    /** As kotlinx.coroutines decides it. */
    private val IO_THREADS: Int = System.getProperty(IO_PARALLELISM)?.toInt() ?: maxOf(64, Runtime.getRuntime().availableProcessors())
}

private const val IO_PARALLELISM = "kotlinx.coroutines.io.parallelism"
