package clientlab.conduct.scene

import clientlab.*
import clientlab.client.*
import clientlab.trial.*
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.Serializable
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.io.ObjectInputStream
import java.io.ObjectOutputStream
import java.net.URI
import java.util.Base64
import kotlin.time.Duration

/**
 * A program in a process of its own: it sends one request to [url] with [client], closes that if it [closes], and returns from `main`. Here
 * one waits for its end; [close] ends it.
 */
internal class Program(client: Client, url: URI, closes: Boolean) : AutoCloseable {
    private val jvm = ChildJvm("program", OPTIONS + listOf("-cp", System.getProperty("java.class.path"), ProgramMain::class.java.name))

    init {
        jvm.tell(LabJson.encodeToString(ProgramSpec(serialized(client), url.toString(), closes)))
    }

    /** Whether its `main` returned, which it says last. Why not is in [words]. */
    fun returned(): Boolean = jvm.reply() == ProgramMain.RETURNS

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
internal data class ProgramSpec(val client: String, val url: String, val closes: Boolean)

/** The main of a [Program]. */
internal object ProgramMain {
    const val RETURNS = "returns"

    @JvmStatic
    fun main(arguments: Array<String>) {
        val out = System.out
        System.setOut(System.err)
        val spec = LabJson.decodeFromString<ProgramSpec>(readln())
        endWithParent()
        val client = ObjectInputStream(ByteArrayInputStream(Base64.getDecoder().decode(spec.client))).use { it.readObject() as Client }
        val session = client.open(Conditions(URI(spec.url), inFlight = 1, timeout = TIMEOUT * 10, deadline = TIMEOUT * 10))
        runBlocking { session.send(Request("/")) }
        if (spec.closes) session.close()
        out.println(RETURNS)
    }
}
