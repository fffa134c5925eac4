package clientlab.notebook.fork

import clientlab.probe.*

/** A thread of a process, as the system shows it. */
internal data class SeenThread(val name: String, val allowed: List<Int>)

/**
 * The threads of the process [pid] that are there now, with the processors that each may use. These are read before the name, because a
 * harness thread has the name of the one that started it until it has given itself its own, and moves only afterwards.
 */
internal fun threadsOf(pid: Long): List<SeenThread> =
    SystemFiles.here.names("proc/$pid/task").mapNotNull { thread ->
        val allowed = AllowedProcessors.of("$pid/task/$thread").ifEmpty { return@mapNotNull null }
        SystemFiles.here.text("proc/$pid/task/$thread/comm")?.let { SeenThread(it.trim(), allowed) }
    }
