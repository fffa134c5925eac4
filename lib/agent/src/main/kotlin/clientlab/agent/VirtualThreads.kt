package clientlab.agent

import java.lang.reflect.Method
import java.util.stream.Stream

/**
 * The virtual threads that the JDK keeps a list of, which no thread group has: those of an executor, and those that are started one by one
 * unless the service switches that off (`jdk.trackAllThreads`). The JDK's own thread dump reads the same list.
 */
internal object VirtualThreads {
    private val threads: Method by lazy { method("jdk.internal.vm.ThreadContainer", "threads") }
    private val children: Method by lazy { method("jdk.internal.vm.ThreadContainer", "children") }

    fun live(): List<Thread> = runCatching {
        containers(method("jdk.internal.vm.ThreadContainers", "root").invoke(null))
            .flatMap { threads.of(it) }
            .map { it as Thread }
            .filter(Thread::isVirtual)
            .take(MOST)
            .toList()
    }.getOrDefault(emptyList())

    private fun containers(of: Any): Sequence<Any> = sequence {
        yield(of)
        children.of(of).forEach { yieldAll(containers(it)) }
    }

    private fun Method.of(container: Any): Sequence<Any> = (invoke(container) as Stream<*>).iterator().asSequence().filterNotNull()

    private fun method(type: String, name: String): Method = Class.forName(type).getMethod(name).apply { isAccessible = true }

    /** Reading the stack of one takes some microseconds. */
    private const val MOST = 20_000
}
