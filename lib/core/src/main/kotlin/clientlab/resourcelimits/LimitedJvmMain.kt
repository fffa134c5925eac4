package clientlab.resourcelimits

import clientlab.LabJson
import clientlab.client.ClientCatalogue
import clientlab.client.Conditions
import clientlab.trial.RisingLoad
import clientlab.trial.delayPath
import kotlinx.serialization.Serializable
import java.net.URI
import java.util.ServiceLoader

/** What a JVM under limits is told first, as one line of JSON on its standard input; each further line is a load to rise to. */
@Serializable
internal data class LimitedJvmSpec(
    val client: String,
    val upTo: Int,
    val server: String,
)

/**
 * The main of a JVM under limits: opens the client, says `ready`, and raises the load to each number that it is told. The first request
 * that fails is a line, `failed <kind>: <the exception>`. It ends when its standard input does.
 */
internal object LimitedJvmMain {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val out = System.out
        System.setOut(System.err)
        val spec = LabJson.decodeFromString<LimitedJvmSpec>(readln())
        val entry = ServiceLoader.load(ClientCatalogue::class.java).flatMap { it.entries }.first { it.info.id == spec.client }
        val load = RisingLoad(entry.create().open(Conditions(URI(spec.server), spec.upTo)), spec.upTo) { delayPath(NEVER_MS, it) }
        Thread.ofPlatform().daemon().name("lab-failures").start {
            while (load.givenUp.isEmpty()) Thread.sleep(LOOK_MS)
            load.givenUp.first().let { out.println("failed ${it.kind}: ${it.example}") }
        }
        out.println("ready")
        generateSequence(::readlnOrNull).forEach { load.raise(it.toInt()) }
        Runtime.getRuntime().halt(0)
    }

    private const val NEVER_MS = 60_000L
    private const val LOOK_MS = 20L
}
