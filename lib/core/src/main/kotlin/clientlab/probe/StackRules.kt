package clientlab.probe

import clientlab.*

/**
 * The activity of a thread with this [stack], whose innermost frame is first.
 *
 * A parked thread waits in a pool for work (idle) or inside a request. Both end in `Unsafe.park`, so only the whole stack tells which: a
 * frame of [inRequest] below the park means inside a request. A thread that connects or writes counts as waiting.
 */
public fun threadStateOf(stack: Array<StackTraceElement>, inRequest: (String) -> Boolean): ThreadState {
    val top = stack.firstOrNull()?.name ?: return ThreadState.Waiting
    return when {
        top in SELECTORS -> ThreadState.InSelector
        stack.take(NEAR).any { it.name in READS } -> ThreadState.BlockedInRead
        top in KERNEL -> ThreadState.Waiting
        top !in PARKS && top !in WAITS -> ThreadState.Running
        stack.any { it.name in IDLE } -> ThreadState.ParkedIdle
        stack.any { inRequest(it.className) } -> ThreadState.ParkedInRequest
        else -> ThreadState.Waiting
    }
}

/** Whether source 000 calls the thread with this [stack] parked: its rule looks at the innermost frame alone. */
internal fun parkedByTopFrame(stack: Array<StackTraceElement>): Boolean = stack.firstOrNull()?.methodName == "park"

private val StackTraceElement.name get() = "$className.$methodName"

private const val NEAR = 8

private val SELECTORS =
    setOf("sun.nio.ch.EPoll.wait", "sun.nio.ch.KQueue.poll", "sun.nio.ch.WEPoll.wait", "sun.nio.ch.WindowsSelectorImpl.poll")

private val READS =
    methods("sun.nio.ch.NioSocketImpl", "implRead read timedRead") +
        methods("sun.nio.ch.SocketChannelImpl", "read blockingRead") +
        "sun.nio.ch.SocketDispatcher.read0"

/** The methods in which pools of the JDK and of kotlinx.coroutines park an idle worker. */
private val IDLE =
    methods("kotlinx.coroutines.scheduling.CoroutineScheduler\$Worker", "park tryPark") +
        setOf("java.util.concurrent.ThreadPoolExecutor.getTask", "java.util.concurrent.ForkJoinPool.awaitWork")

/** In the kernel, but not to read bytes. A read with a time-out also ends in `Net.poll`, so this is checked later. */
private val KERNEL = methods("sun.nio.ch.Net", "poll accept connect0") + "sun.nio.ch.SocketDispatcher.write0"

private val PARKS = setOf("jdk.internal.misc.Unsafe.park", "sun.misc.Unsafe.park")

private val WAITS =
    methods("java.lang.Object", "wait wait0") +
        methods("java.lang.Thread", "sleep sleep0 sleepNanos0") +
        setOf("java.lang.ref.Reference.waitForReferencePendingList", "java.lang.VirtualThread.takeVirtualThreadListToUnblock")

private fun methods(type: String, names: String): Set<String> = names.split(' ').map { "$type.$it" }.toSet()
