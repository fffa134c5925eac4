package clientlab.server

import clientlab.server.evidence.*
import kotlinx.serialization.json.Json
import java.nio.file.Files
import java.nio.file.Path

/** A server in a JVM of its own, as a trial has it, with a small heap that is resident from the start; killed at the end. */
class ServerJvm(vararg args: String) : AutoCloseable {
    private val process = startServerJvm(args.asList())
    private val ready = Json.decodeFromString<Ready>(process.inputReader().readLine())
    private val control = RawConnection(ready.controlPort)

    val port: Int get() = ready.port
    val isAlive: Boolean get() = process.isAlive

    fun evidence(): Evidence = Json.decodeFromString(control.sendRequest("/evidence").readAnswer().body)

    /** Asks until [condition] holds; a fault ends in the test's own time-out. */
    fun evidenceWhere(condition: (Evidence) -> Boolean): Evidence {
        while (true) {
            val seen = evidence()
            if (condition(seen)) return seen
        }
    }

    /** Resident memory in KiB, or null where the system does not say. */
    fun residentKib(): Long? = runCatching {
        val line = Files.readAllLines(Path.of("/proc/${ready.pid}/status")).first { it.startsWith("VmRSS:") }
        line.filter { it.isDigit() }.toLong()
    }.getOrNull()

    /** What lives on the heap after a collection, in KiB, or null where this Java has no `jcmd`. */
    fun livingKib(): Long? {
        val jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").takeIf { Files.isExecutable(it) } ?: return null
        val process = ProcessBuilder("$jcmd", "${ready.pid}", "GC.class_histogram").redirectErrorStream(true).start()
        val total = process.inputReader().readLines().last { it.startsWith("Total") }
        return total.split(Regex("\\s+"))[2].toLong() / 1024
    }

    override fun close() {
        control.close()
        process.destroyForcibly().waitFor()
    }
}

/** Starts a server's JVM on this test's class path, with at most [limit] open files where one is given. */
internal fun startServerJvm(args: List<String>, limit: Int? = null): Process {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
    val classpath = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
    val options =
        listOf(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xms64m",
            "-Xmx64m",
            "-XX:+AlwaysPreTouch",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classpath,
        )
    val command = listOf(java) + options + "clientlab.server.ServerMainKt" + args
    val limited = if (limit == null) command else listOf("sh", "-c", "ulimit -n $limit && exec \"$@\"", "sh") + command
    return ProcessBuilder(limited).start()
}
