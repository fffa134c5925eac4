package clientlab.resourcelimits

import clientlab.*
import clientlab.client.*
import clientlab.trial.*
import kotlinx.serialization.Serializable
import java.net.URI
import kotlin.concurrent.thread

/** The first line on the standard input of a JVM under limits, as JSON; each further line is the next load. */
@Serializable
internal data class LimitedJvmSpec(val client: String, val upTo: Int, val server: String)

/**
 * The main of a JVM under limits: opens the client, prints `ready`, and raises the load to each number that it reads. It prints the first
 * failed request as `failed <kind>: <the exception>`. It ends when its standard input ends.
 */
internal object LimitedJvmMain {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val out = System.out
        System.setOut(System.err)
        val spec = LabJson.decodeFromString<LimitedJvmSpec>(readln())
        val load = RisingLoad(catalogued(spec.client).open(Conditions(URI(spec.server), spec.upTo))) { delayPath(NEVER_MS, it) }
        thread(isDaemon = true, name = "lab-failures") {
            while (load.givenUp.isEmpty()) Thread.sleep(LOOK_MS)
            load.givenUp.first().let { out.println("${LimitedJvm.FAILED}${it.kind}: ${it.example}") }
        }
        out.println(LimitedJvm.READY)
        obeyParent { load.raise(it.toInt()) }
    }

    private const val NEVER_MS = 60_000L
    private const val LOOK_MS = 20L
}
