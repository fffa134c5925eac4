package clientlab.notebook.fork

import clientlab.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import java.nio.file.Path
import kotlin.io.path.createParentDirectories
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists

/**
 * A fork's profile by [async-profiler](https://github.com/async-profiler/async-profiler), if its treatment's `instrument` asks for one. The
 * JVM loads the library when it starts, so no measured code depends on it. It sees the whole life of the fork: read shares, not times.
 */
internal class AsyncProfiler private constructor(private val raw: Path, private val kept: Path, event: String, library: Path) {
    /** The JVM options of the fork. */
    val jvmArgs: List<String> = listOf("-agentpath:$library=start,$event,threads,file=$raw")

    /** Keeps the fork's output beside the journal. Returns whether there was any. */
    fun keep(): Boolean {
        if (!raw.exists()) return false
        ProfileFile.keep(raw, kept)
        raw.deleteIfExists()
        return true
    }

    companion object {
        /** The warning of a trial whose requested profile is missing. */
        const val NOTHING: String = "async-profiler has written nothing: this trial has no profile"

        /** Timers of the threads, because most machines do not let ordinary users read the system's counters; a sample per 64 KiB. */
        private val EVENTS = mapOf("cpu-profile" to "event=ctimer,interval=1ms", "allocation-profile" to "event=alloc,alloc=64k,total")

        /** The profile of round [round] of [treatment], or null if none is requested. Throws if this machine cannot make one. */
        fun of(folder: Path, round: Int, treatment: Treatment): AsyncProfiler? {
            val event = EVENTS[treatment[Factor.INSTRUMENT]] ?: return null
            val kept = ProfileFile.path(folder, round, treatment).createParentDirectories()
            // Not in [folder]: a comma would end the option, and a folder's name may contain one.
            val raw = createTempFile("profile", ".collapsed").also { it.deleteIfExists() }
            return AsyncProfiler(raw, kept, event, library())
        }

        /** Refuses before a run begins what would fail during the run. */
        fun check(treatments: List<Treatment>) {
            if (treatments.any { it[Factor.INSTRUMENT] in EVENTS }) library()
        }

        private fun library(): Path {
            val system = System.getProperty("os.name").lowercase()
            val arm = System.getProperty("os.arch") in setOf("aarch64", "arm64")
            val platform = when {
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
