package clientlab.agent

import java.lang.instrument.Instrumentation
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption

/**
 * The entry of the agent that `attach` loads into a running service. It looks once, on the thread that loads it, writes what it saw to a file
 * as JSON, and changes nothing. Its classes stay loaded, and weak references to the limits that it found.
 */
public object Agent {
    /**
     * Looks at this JVM, and writes to the file [options]. After `again` and a blank it looks at the limits alone that it knows, and at the
     * threads. An error is written there too, and never thrown into the service.
     */
    @JvmStatic
    public fun agentmain(options: String, instrumentation: Instrumentation) {
        val file = Path.of(options.removePrefix(AGAIN))
        val seen = try {
            if (options.startsWith(AGAIN)) Look.again() else Look(instrumentation).json()
        } catch (error: Throwable) {
            Json.of(mapOf("error" to error.toString()))
        }
        val part = file.resolveSibling("${file.fileName}.part")
        Files.writeString(part, seen)
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE)
    }

    private const val AGAIN = "again "
}
