package clientlab.agent

import java.util.stream.Stream

/**
 * The virtual threads that the JDK keeps a list of, which no thread group has: those of an executor, and those that are started one by one
 * unless the service switches that off (`jdk.trackAllThreads`). The JDK's own thread dump reads the same list.
 */
internal object VirtualThreads {
    fun live(): List<Thread> = runCatching {
        val root = Class.forName("jdk.internal.vm.ThreadContainers").getMethod("root").apply { isAccessible = true }.invoke(null)
        containers(root).flatMap { stream<Thread>(it, "threads").filter(Thread::isVirtual) }.take(MOST).toList()
    }.getOrDefault(emptyList())

    private fun containers(of: Any): Sequence<Any> = sequence {
        yield(of)
        stream<Any>(of, "children").forEach { yieldAll(containers(it)) }
    }

    private fun <T : Any> stream(container: Any, name: String): List<T> {
        val method = Class.forName("jdk.internal.vm.ThreadContainer").getMethod(name).apply { isAccessible = true }
        @Suppress("UNCHECKED_CAST")
        return (method.invoke(container) as Stream<T>).toList()
    }

    /** Reading the stack of one takes some microseconds. */
    private const val MOST = 20_000
}
