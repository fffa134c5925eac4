package clientlab.probe

import clientlab.*

/**
 * The activity of a thread with this [stack], whose innermost frame is first.
 *
 * A parked thread is idle where it waits in a pool for work, and inside a request where a frame of [inRequest] stands below the park;
 * only the whole stack tells these two apart, because both end in `Unsafe.park`. A thread that connects or writes counts as waiting.
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
public fun parkedByTopFrame(stack: Array<StackTraceElement>): Boolean = stack.firstOrNull()?.methodName == "park"

private val StackTraceElement.name get() = "$className.$methodName"

private const val NEAR = 8

private val SELECTORS =
    setOf("sun.nio.ch.EPoll.wait", "sun.nio.ch.KQueue.poll", "sun.nio.ch.WEPoll.wait", "sun.nio.ch.WindowsSelectorImpl.poll")

private val READS =
    setOf(
        "sun.nio.ch.NioSocketImpl.implRead",
        "sun.nio.ch.NioSocketImpl.read",
        "sun.nio.ch.NioSocketImpl.timedRead",
        "sun.nio.ch.SocketChannelImpl.read",
        "sun.nio.ch.SocketChannelImpl.blockingRead",
        "sun.nio.ch.SocketDispatcher.read0",
    )

/** The methods in which pools of the JDK and of kotlinx.coroutines park an idle worker. */
private val IDLE =
    setOf(
        "java.util.concurrent.ThreadPoolExecutor.getTask",
        "java.util.concurrent.ForkJoinPool.awaitWork",
        "kotlinx.coroutines.scheduling.CoroutineScheduler\$Worker.park",
        "kotlinx.coroutines.scheduling.CoroutineScheduler\$Worker.tryPark",
    )

/** In the kernel, but not to read bytes. A read with a time-out also ends in `Net.poll`, so this is checked later. */
private val KERNEL =
    setOf("sun.nio.ch.Net.poll", "sun.nio.ch.Net.accept", "sun.nio.ch.Net.connect0", "sun.nio.ch.SocketDispatcher.write0")

private val PARKS = setOf("jdk.internal.misc.Unsafe.park", "sun.misc.Unsafe.park")

private val WAITS =
    setOf(
        "java.lang.Object.wait",
        "java.lang.Object.wait0",
        "java.lang.Thread.sleep",
        "java.lang.Thread.sleep0",
        "java.lang.Thread.sleepNanos0",
        "java.lang.ref.Reference.waitForReferencePendingList",
        "java.lang.VirtualThread.takeVirtualThreadListToUnblock",
    )
