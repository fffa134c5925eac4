package clientlab.notebook.fork

import clientlab.*
import clientlab.probe.*
import java.io.IOException
import java.lang.ProcessBuilder.Redirect

/**
 * The processors of one trial whose treatment asks for `processors`: the trial JVM has the last of those that this process may use, and the
 * [rest] is for the delay server and the harness's own threads.
 */
internal class Pinning private constructor(val client: List<Int>, val rest: List<Int>) {
    /** What the trial JVM's `java` command follows. */
    val command: List<String> = listOf("taskset", "-c", text(client))

    /** The JVM counts its processors at its start, for its collector, its compilers and the pools of libraries. */
    val jvmArgs: List<String> = listOf("-XX:ActiveProcessorCount=${client.size}", "-D${HarnessProcessors.PROPERTY}=${text(rest)}")

    /** The manifest's note. */
    val note: String =
        "With processors = ${client.size} the trial JVM ran on ${text(client)}; " +
            "the server and the harness's own threads ran on ${text(rest)}."

    /** Runs [trial] while the processes [servers] run on the [rest] only. They may use all again afterwards, also when [trial] throws. */
    fun <T> without(servers: List<Long>, trial: () -> T): T {
        try {
            servers.forEach { server ->
                if (!move(server, rest)) throw IOException("the delay server could not be kept off the client's processors ${text(client)}")
            }
            return trial()
        } finally {
            // It fails only if a server has ended, which the next trial finds.
            servers.forEach { move(it, (rest + client).sorted()) }
        }
    }

    companion object {
        /** Looking again finds threads that began during the first look. */
        private const val ATTEMPTS = 5

        /** The pinning of [treatment], or null if it asks for none. */
        fun of(treatment: Treatment, allowed: List<Int> = AllowedProcessors.of()): Pinning? =
            treatment.processors?.let { Pinning(allowed.takeLast(it), allowed.dropLast(it)) }

        /** One pinning for each number of processors that [experiment] asks for. */
        fun all(experiment: Experiment<*>): List<Pinning> = experiment.treatments.distinctBy { it.processors }.mapNotNull { of(it) }

        /** Whether a process may be pinned here. */
        fun works(): Boolean = tasksetSucceeds("-c", text(AllowedProcessors.of()), "true")

        /** Moves all threads of [process]. Returns whether all are there: a new thread inherits the processors of the one that starts it. */
        private fun move(process: Long, to: List<Int>): Boolean =
            (1..ATTEMPTS).any { tasksetSucceeds("-a", "-c", "-p", text(to), "$process") && threads(process).all { it == to } }

        private fun threads(process: Long): List<List<Int>> =
            SystemFiles.here.names("proc/$process/task").map { AllowedProcessors.of("$process/task/$it") }.filter { it.isNotEmpty() }

        private fun text(processors: List<Int>) = processors.joinToString(",")

        /** Not `waitFor`, which an interrupt would end, and the server would keep too few processors. */
        private fun tasksetSucceeds(vararg arguments: String): Boolean = try {
            val process = ProcessBuilder("taskset", *arguments).redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start()
            process.onExit().join().exitValue() == 0
        } catch (_: IOException) {
            false
        }
    }
}
