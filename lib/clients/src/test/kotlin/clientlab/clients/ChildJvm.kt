package clientlab.clients

import java.io.BufferedReader
import java.nio.file.Path
import java.util.Optional
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException

/** A JVM with the tests' classpath that runs [mainClass]. It answers in lines on its standard output, and ends when its input ends. */
internal class ChildJvm(mainClass: String, arguments: List<String>, jvmArgs: List<String> = emptyList()) : AutoCloseable {
    private val process: Process =
        ProcessBuilder(
            listOf(tool("java"), "--enable-native-access=ALL-UNNAMED") +
                jvmArgs + listOf("-cp", CLASSPATH, mainClass) + arguments,
        ).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    private val output: BufferedReader = process.inputReader()
    val pid: Long get() = process.pid()

    /** The next line of the child; fails if it ended without one, or said nothing for [SILENT_S] seconds. */
    fun line(): String {
        val said = CompletableFuture.supplyAsync { Optional.ofNullable(output.readLine()) }
        val line = try {
            said.get(SILENT_S, TimeUnit.SECONDS)
        } catch (_: TimeoutException) {
            val threads = threads()
            process.destroyForcibly()
            error("The child JVM said nothing for $SILENT_S s. Its threads:\n$threads")
        }
        return line.orElseThrow { IllegalStateException("The child JVM ended with ${process.waitFor()} and no answer.") }
    }

    fun say(line: String) {
        process.outputWriter().apply {
            write(line)
            newLine()
            flush()
        }
    }

    /** The stacks of its threads, but for those of the JVM itself. */
    private fun threads(): String = ProcessBuilder(tool("jcmd"), "$pid", "Thread.print")
        .redirectErrorStream(true)
        .start()
        .inputReader()
        .readText()
        .split("\n\n")
        .filter { "\tat " in it }
        .joinToString("\n\n")

    override fun close() {
        process.outputStream.close()
        if (!process.waitFor(LEAVING_S, TimeUnit.SECONDS)) process.destroyForcibly().waitFor()
    }

    private companion object {
        fun tool(name: String): String = Path.of(System.getProperty("java.home"), "bin", name).toString()

        const val LEAVING_S = 10L
        const val SILENT_S = 180L

        /** Surefire starts its JVM with a jar that only points to the classpath. */
        val CLASSPATH: String = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
    }
}
