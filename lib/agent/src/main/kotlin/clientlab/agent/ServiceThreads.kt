package clientlab.agent

/** Threads whose names differ by numbers alone, in the same state on the same stack: the [name] of one of them, and how many there are. */
internal class ThreadGroupSeen(
    private val name: String,
    private val state: String,
    private val frames: List<String>,
    private val virtual: Boolean,
    val count: Int,
) {
    fun alike(number: Regex): Any = listOf(name.replace(number, "#"), state, frames, virtual)

    fun times(count: Int): ThreadGroupSeen = ThreadGroupSeen(name, state, frames, virtual, count)

    fun asMap(): Map<String, Any?> = mapOf("name" to name, "state" to state, "frames" to frames, "virtual" to virtual, "count" to count)
}

/** The threads of this JVM; [live] are the platform threads. Stacks are read one thread at a time, so that no pause is longer than one of them takes. */
internal class ServiceThreads private constructor(val live: List<Thread>) {
    fun groups(): List<ThreadGroupSeen> {
        val own = Thread.currentThread()
        return (live + VirtualThreads.live())
            .filter { it !== own && it.isAlive }
            .map { thread ->
                ThreadGroupSeen(
                    thread.name,
                    thread.state.name,
                    thread.stackTrace.take(DEEPEST).map { "${it.className}.${it.methodName}" },
                    thread.isVirtual,
                    1,
                )
            }.groupBy { it.alike(NUMBER) }
            .values
            .map { alike -> alike.first().times(alike.size) }
            .sortedByDescending { it.count }
    }

    companion object {
        private const val DEEPEST = 100
        private val NUMBER = Regex("\\d+")

        fun now(): ServiceThreads {
            var group = Thread.currentThread().threadGroup
            while (group.parent != null) group = group.parent
            var size = group.activeCount() + 16
            while (true) {
                val found = arrayOfNulls<Thread>(size)
                val count = group.enumerate(found, true)
                if (count < size) return ServiceThreads(found.take(count).filterNotNull())
                size *= 2
            }
        }
    }
}
