package clientlab.notebook.jars

import clientlab.*
import java.nio.file.Path

/** Asks for a jar as a run does, where its options leave it nowhere to fetch one from, and says what it is told. */
internal object OfflineRun {
    @JvmStatic
    fun main(arguments: Array<String>) {
        try {
            println(JarStore(Path.of(arguments.single())).jars(mapOf("io.ktor:ktor-client-cio-jvm:2.3.12" to "0".repeat(64))))
        } catch (e: LabException) {
            println(e.message)
        }
    }
}
