package clientlab.testing

import org.junit.jupiter.api.Assumptions.assumeTrue
import java.nio.file.Files
import java.nio.file.Path

/** The lines that [program] prints; where this machine does not have it the test is skipped, and says so by the program's name. */
internal fun outside(program: String, vararg arguments: String): List<String> {
    val places = System.getenv("PATH").split(':').map { Path.of(it) } + listOf("/usr/sbin", "/sbin").map { Path.of(it) }
    val all = listOf(Path.of(System.getProperty("java.home"), "bin")) + places
    val path = all.map { it.resolve(program) }.firstOrNull { Files.isExecutable(it) }
    assumeTrue(path != null, "$program is not on this machine, so nothing was compared with it")
    val process = ProcessBuilder(listOf(path.toString()) + arguments).redirectError(ProcessBuilder.Redirect.DISCARD).start()
    val lines = process.inputReader().readLines()
    check(process.waitFor() == 0) { "$program ${arguments.joinToString(" ")} failed: $lines" }
    return lines
}

/** Skips the test where the system is no Linux, for then nobody tells [what]. */
internal fun assumeProc(what: String): Unit =
    assumeTrue(Files.exists(Path.of("/proc/self/smaps_rollup")), "this system has no /proc/self/smaps_rollup, so nobody tells $what")

/**
 * Reads a pair again and again until both are [alike], a bounded number of times, and returns the last: what both describe lives on between
 * one reading and the other.
 */
internal fun <T> agreed(alike: (T, T) -> Boolean = { a, b -> a == b }, read: () -> Pair<T, T>): Pair<T, T> {
    var pair = read()
    repeat(MOST_PAIRS) {
        if (alike(pair.first, pair.second)) return pair
        pair = read()
    }
    return pair
}

private const val MOST_PAIRS = 30
