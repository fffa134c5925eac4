package clientlab.server.bench

import org.openjdk.jmh.generators.core.BenchmarkGenerator
import org.openjdk.jmh.generators.core.FileSystemDestination
import org.openjdk.jmh.generators.reflection.RFGeneratorSource
import java.io.File
import java.nio.file.Files
import java.nio.file.Path
import javax.tools.ToolProvider
import kotlin.io.path.createDirectories
import kotlin.io.path.extension
import kotlin.io.path.readLines
import kotlin.io.path.walk
import kotlin.system.exitProcess

/**
 * Runs [EvidenceCost] by JMH in JVMs with the server's own options, and writes its result, as JSON, to the file named first; with `quick` as
 * the second argument in a second or two, which measures allocation and no time.
 *
 * JMH lives on Java sources that it generates. They are made and compiled here, when they are asked for, so that the build needs no Java
 * compiler: without one it says so in one sentence and ends with code 1.
 */
fun main(arguments: Array<String>) {
    exitProcess(measureEvidence(Path.of(arguments[0]), isQuick = "quick" in arguments.drop(1), Path.of("server/delay/jvm.options")))
}

/** Returns JMH's exit code; [options] are those of the JVMs that measure. */
internal fun measureEvidence(result: Path, isQuick: Boolean, options: Path): Int {
    val compiler = ToolProvider.getSystemJavaCompiler()
    if (compiler == null) {
        System.err.println("lab: JMH compiles what it measures, and this Java has no compiler: set JAVA_HOME to a JDK of 21 or newer.")
        return 1
    }
    val folder = Files.createTempDirectory("lab-bench-evidence")
    try {
        val sources = folder.resolve("sources").createDirectories()
        val classes = folder.resolve("classes").createDirectories()
        generate(sources, classes)
        val classpath = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
        val files = sources.walk().filter { it.extension == "java" }.map { "$it" }.toList()
        val compiled = compiler.run(null, null, null, "-proc:none", "-cp", classpath, "-d", "$classes", *files.toTypedArray())
        check(compiled == 0) { "What JMH generated does not compile." }
        val jvmArgs = options.readLines().filter { it.startsWith("-") }.joinToString(" ")
        val size = if (isQuick) {
            listOf("-f", "1", "-wi", "2", "-i", "2", "-w", "200ms", "-r", "200ms")
        } else {
            listOf("-f", "5", "-wi", "5", "-i", "5", "-w", "1s", "-r", "1s")
        }
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val asked = listOf("EvidenceCost", "-prof", "gc", "-rf", "json", "-rff", "$result", "-jvmArgs", jvmArgs) + size
        val command = listOf(java, "-cp", "$classes${File.pathSeparator}$classpath", "org.openjdk.jmh.Main") + asked
        return ProcessBuilder(command).inheritIO().start().waitFor()
    } finally {
        folder.toFile().deleteRecursively()
    }
}

private fun generate(sources: Path, classes: Path) {
    val destination = FileSystemDestination(classes.toFile(), sources.toFile())
    val source = RFGeneratorSource().apply { processClasses(EvidenceCost::class.java) }
    BenchmarkGenerator().apply {
        generate(source, destination)
        complete(source, destination)
    }
    check(!destination.hasErrors()) { destination.errors.joinToString("\n") }
}
