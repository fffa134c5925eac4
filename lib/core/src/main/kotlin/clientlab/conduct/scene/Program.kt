package clientlab.conduct.scene

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.CoroutineDispatcher
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
import java.util.concurrent.atomic.AtomicReference
import kotlin.concurrent.thread
import kotlin.math.roundToLong
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** What a [Program] does before it returns from `main`. Its heap may take [heapMiB], and it has so many [processors], or all of them. */
internal enum class ProgramTask(val heapMiB: Int = 128, val processors: Int? = null) {
    /** It sends one request. */
    Sends,

    /** It sends one request and closes the client. */
    SendsAndCloses,

    /** It lets every thread of `Dispatchers.IO` wait in `runBlocking` for an answer. Its last word is how many have one, of how many. */
    WaitsOnEveryIoThread,

    /** The same with the two threads that `Dispatchers.Default` has on one processor. */
    WaitsOnBothDefaultThreads(processors = 1),

    /**
     * It sends as many requests of [UPLOAD_BYTES] at once as `Dispatchers.IO` has threads. Two seconds later it asks for one of these. Its last
     * word is how many it sends, or [WAITS_ON] if it gets no thread.
     */
    UploadsBesideIo(heapMiB = 1024),

    /**
     * It sends a request of [UPLOAD_BYTES]. Its last word is how many ms of processor time the whole program takes in the two seconds that begin
     * one second later, or [OVER] if the request has ended by then.
     */
    WaitsForReader,

    /** It reads an answer of [LARGE_BYTES] as a stream. Its last word is how many bytes it has, or how that ended. */
    Downloads(heapMiB = 64),

    /** It sends a request of [LARGE_BYTES]. Its last word is the status of the answer, or how that ended. */
    Uploads(heapMiB = 64),

    /** It asks for an answer of [LARGE_BYTES] as one array, which cannot fit. Its last word is how that ended. */
    Holds(heapMiB = 64),
}

/** Four times the heap. */
internal const val LARGE_BYTES: Long = 256L shl 20

/** More than the buffers of a connection hold. */
private const val UPLOAD_BYTES = 16L shl 20

/** The last word where memory ran out. */
internal const val OUT_OF_MEMORY: String = "OutOfMemoryError"

/** The last word where nothing came. */
internal const val WAITS_ON: String = "waits on"

/** The last word where the request ended before it should. */
internal const val OVER: String = "over"

/**
 * A program in a process of its own, which does [task] with [client] and the server at [url]. What it does to its process does no harm to
 * other situations; [close] ends it.
 */
internal class Program(client: Client, url: URI, task: ProgramTask) : AutoCloseable {
    private val jvm = ChildJvm("program", options(task))

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
        val OPTIONS = listOf("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData")

        /** As many threads of `Dispatchers.IO` as this JVM has. */
        val IO = listOfNotNull(System.getProperty(IO_PARALLELISM)?.let { "-D$IO_PARALLELISM=$it" })

        fun options(task: ProgramTask): List<String> =
            OPTIONS + IO + listOfNotNull(task.processors?.let { "-XX:ActiveProcessorCount=$it" }) +
                listOf("-Xmx${task.heapMiB}m", "-cp", System.getProperty("java.class.path"), ProgramMain::class.java.name)

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
        endAfterParent()
        val client = ObjectInputStream(ByteArrayInputStream(Base64.getDecoder().decode(spec.client))).use { it.readObject() as Client }
        val session = client.open(Conditions(URI(spec.url), IO_THREADS, timeout = TIMEOUT * 10, deadline = TIMEOUT * 10))
        runBlocking { session.send(Request("/")) }
        out.println(session.does(spec.task))
    }

    /**
     * Ends this JVM soon after its parent. The thread does not wait in a read as in other JVMs of the lab: at its end a JVM gives threads
     * in native code 300 ms to come back, which would look like the work of a client.
     */
    private fun endAfterParent() {
        val parent = parentPid()
        thread(isDaemon = true, name = "${ThreadOwners.HARNESS_PREFIX}parent") {
            while (parentPid() == parent) Thread.sleep(PARENT_MS)
            Runtime.getRuntime().halt(ORPHANED)
        }
    }

    /** A process whose parent has ended has another one, or none. */
    private fun parentPid(): Long? = ProcessHandle.current().parent().map { it.pid() }.orElse(null)

    /** The last word. */
    private fun Session.does(task: ProgramTask): String = when (task) {
        ProgramTask.Sends -> "returns"
        ProgramTask.SendsAndCloses -> "returns".also { close() }
        ProgramTask.WaitsOnEveryIoThread -> answeredOn(Dispatchers.IO, IO_THREADS)
        ProgramTask.WaitsOnBothDefaultThreads -> answeredOn(Dispatchers.Default, threads = 2)
        ProgramTask.UploadsBesideIo -> uploadsBesideIo()
        ProgramTask.WaitsForReader -> waitsForReader()
        ProgramTask.Downloads -> ends(Request(LARGE_PATH, large = true)) { "${it.bytes}" }
        ProgramTask.Uploads -> ends(Request(LARGE_PATH, method = "POST", bodyBytes = LARGE_BYTES)) { "${it.status}" }
        ProgramTask.Holds -> ends(Request(LARGE_PATH, reading = Reading.InMemory), within = OVERFLOW) { "${it.bytes}" }
    }

    private fun Session.uploadsBesideIo(): String {
        repeat(IO_THREADS) { number ->
            CoroutineScope(Dispatchers.Default).launch {
                runCatching { send(Request("/$number", method = "POST", bodyBytes = UPLOAD_BYTES)) }
            }
        }
        Thread.sleep(UPLOADS_BEGIN_MS)
        val runs = CountDownLatch(1)
        CoroutineScope(Dispatchers.IO).launch { runs.countDown() }
        return if (runs.await(PATIENCE.inWholeMilliseconds, TimeUnit.MILLISECONDS)) "$IO_THREADS" else WAITS_ON
    }

    private fun Session.waitsForReader(): String {
        val upload = CoroutineScope(Dispatchers.Default).launch {
            runCatching { send(Request("/", method = "POST", bodyBytes = UPLOAD_BYTES)) }
        }
        Thread.sleep(UPLOAD_BEGINS_MS)
        val before = ProcessProbe.read().cpuSeconds
        Thread.sleep(PROCESSOR_MS)
        val seconds = ProcessProbe.read().cpuSeconds - before
        return if (upload.isActive) "${(seconds * MILLIS).roundToLong()}" else OVER
    }

    /** How [request] ends: [words] of its reply, or the name of what was thrown. Neither thread needs memory for that. */
    private fun Session.ends(request: Request, within: Duration = TRANSFER, words: (Reply) -> String): String {
        val word = AtomicReference(WAITS_ON)
        val ended = CountDownLatch(1)
        CoroutineScope(Dispatchers.Default).launch {
            try {
                word.set(words(send(request)))
            } catch (e: Throwable) {
                word.set(if (e.isOutOfMemory()) OUT_OF_MEMORY else e.javaClass.simpleName)
            }
            ended.countDown()
        }
        ended.await(within.inWholeMilliseconds, TimeUnit.MILLISECONDS)
        return word.get()
    }

    /** Needs no memory, because there may be none left. */
    private fun Throwable.isOutOfMemory(): Boolean {
        var cause: Throwable? = this
        while (cause != null && cause !is OutOfMemoryError) cause = cause.cause
        return cause != null
    }

    /** How many of all [threads] of [dispatcher], which all wait at the same time, get their answer. */
    private fun Session.answeredOn(dispatcher: CoroutineDispatcher, threads: Int): String {
        val together = CountDownLatch(threads)
        val answers = CountDownLatch(threads)
        repeat(threads) { number ->
            CoroutineScope(dispatcher).launch {
                together.countDown()
                together.await()
                runBlocking { send(Request("/$number")) }
                answers.countDown()
            }
        }
        answers.await(PATIENCE.inWholeMilliseconds, TimeUnit.MILLISECONDS)
        return "${threads - answers.count} of $threads"
    }

    /** As kotlinx.coroutines decides it. */
    private val IO_THREADS: Int = System.getProperty(IO_PARALLELISM)?.toInt() ?: maxOf(64, Runtime.getRuntime().availableProcessors())
}

/** The path of the large answer; every other answer is small. */
internal const val LARGE_PATH: String = "/large"
private const val PARENT_MS = 200L
private const val UPLOADS_BEGIN_MS = 2_000L
private const val UPLOAD_BEGINS_MS = 1_000L
private const val MILLIS = 1e3

/** For so long the processor time of a program that waits is counted. */
internal const val PROCESSOR_MS: Long = 2_000
private const val ORPHANED = 3
private val TRANSFER = 8.seconds

/** Shorter than the time-out of the program, which would tell the caller that something is wrong. */
private val OVERFLOW = 3.seconds
private const val IO_PARALLELISM = "kotlinx.coroutines.io.parallelism"
