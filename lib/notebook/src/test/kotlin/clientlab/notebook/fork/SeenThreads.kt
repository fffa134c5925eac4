package clientlab.notebook.fork

import clientlab.probe.*

/** A thread of a process, as the system shows it. */
internal data class SeenThread(val name: String, val allowed: List<Int>)

/** The threads of the process [pid] that are there now, with the processors that each may use. */
internal fun threadsOf(pid: Long): List<SeenThread> =
    SystemFiles.here.names("proc/$pid/task").mapNotNull { thread ->
        val name = SystemFiles.here.text("proc/$pid/task/$thread/comm")?.trim() ?: return@mapNotNull null
        AllowedProcessors.of("$pid/task/$thread").ifEmpty { null }?.let { SeenThread(name, it) }
    }
