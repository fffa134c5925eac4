package clientlab.notebook.fork

import clientlab.Factor
import clientlab.LabException
import clientlab.Treatment
import clientlab.notebook.home.LabHome
import clientlab.notebook.journal.ProfileFile
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists

/**
 * A fork's profile by [async-profiler](https://github.com/async-profiler/async-profiler), where its treatment's `instrument` asks for one.
 *
 * The native library is loaded by its path when the JVM starts and writes its stacks when it halts, so that no line of what is measured
 * knows of it. It sees the whole life of the fork, start and warm-up too: measure many requests, and read shares, not times.
 */
internal class AsyncProfiler private constructor(private val raw: Path, private val kept: Path, event: String, library: Path) {
    /** What the fork is started with. */
    val jvmArgs: List<String> = listOf("-agentpath:$library=start,$event,threads,file=$raw")

    /** Keeps what the fork wrote beside the journal; whether it wrote anything. */
    fun keep(): Boolean {
        if (!raw.exists()) return false
        ProfileFile.keep(raw, kept)
        raw.deleteIfExists()
        return true
    }

    companion object {
        /** The warning of a trial whose profile was asked for and is not there. */
        const val NOTHING: String = "async-profiler has written nothing: this trial has no profile"

        /**
         * Processor time by timers of the threads themselves, for the kernel's own counters are closed to ordinary users on most machines;
         * bytes allocated by one sample for every 64 KiB.
         */
        private val EVENTS =
            mapOf(
                "cpu-profile" to "event=ctimer,interval=1ms",
                "allocation-profile" to "event=alloc,alloc=64k,total",
            )

        /** The profile of round [round] of [treatment], or null where none is asked for; throws where this machine can have none. */
        fun of(folder: Path, round: Int, treatment: Treatment): AsyncProfiler? {
            val event = EVENTS[treatment[Factor.INSTRUMENT]] ?: return null
            val kept = ProfileFile.path(folder, round, treatment)
            kept.parent.createDirectories()
            // A comma would end the option, and a folder may have one in its name.
            val raw = kotlin.io.path
                .createTempFile("profile", ".collapsed")
                .also { it.deleteIfExists() }
            return AsyncProfiler(raw, kept, event, library())
        }

        /** Refuses before a run begins what it could not do in its midst. */
        fun check(treatments: List<Treatment>) {
            if (treatments.any { it[Factor.INSTRUMENT] in EVENTS }) library()
        }

        private fun library(): Path {
            val system = System.getProperty("os.name").lowercase()
            val arm = System.getProperty("os.arch") in setOf("aarch64", "arm64")
            val platform =
                when {
                    "linux" in system -> if (arm) "linux-arm64" else "linux-x64"
                    "mac" in system -> "macos"
                    else -> throw LabException("There is no async-profiler for $system: leave the profiles out, or run on Linux or macOS.")
                }
            val library = LabHome.root.resolve("lib/clients/target/profiler/$platform/libasyncProfiler.so")
            if (!library.exists()) throw LabException("async-profiler has not been unpacked: run ./lab run once, which builds it.")
            return library
        }
    }
}
