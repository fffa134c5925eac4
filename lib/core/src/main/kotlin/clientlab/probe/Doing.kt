package clientlab.probe

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** What a platform thread does at a snapshot, told from its stack. */
@Serializable
public enum class Doing(public val label: String) {
    /** On the processor, or ready for it. */
    @SerialName("running")
    Running("running"),

    /** In the kernel, until bytes of one connection arrive: the thread is spent on one request. */
    @SerialName("blockedInRead")
    BlockedInRead("blocked in a read"),

    /** In the kernel, until anything happens on any of many connections. */
    @SerialName("inSelector")
    InSelector("waiting in a selector"),

    /** Parked, or in `Object.wait`, below a call that waits for its answer: spent on one request, and not seen by source 000's rule. */
    @SerialName("parkedInRequest")
    ParkedInRequest("parked inside a request"),

    /** Parked in a pool, free for the next task. */
    @SerialName("parkedIdle")
    ParkedIdle("parked idle"),

    /** Asleep, in `Object.wait`, or waiting for something that is no request. */
    @SerialName("waiting")
    Waiting("sleeping or waiting"),

    ;

    /** Whether the thread is held by one request until its answer comes. */
    public val blocked: Boolean get() = this == BlockedInRead || this == ParkedInRequest

    override fun toString(): String = label

    public companion object {
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

        /** Where the pools of the JDK and of kotlinx.coroutines park a worker that has nothing to do. */
        private val IDLE =
            setOf(
                "java.util.concurrent.ThreadPoolExecutor.getTask",
                "java.util.concurrent.ForkJoinPool.awaitWork",
                "kotlinx.coroutines.scheduling.CoroutineScheduler\$Worker.park",
                "kotlinx.coroutines.scheduling.CoroutineScheduler\$Worker.tryPark",
            )

        /** In the kernel for something else than bytes to read; a read with a time-out also ends in `Net.poll`, so this is asked later. */
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

        /**
         * Tells what the thread with this [stack], innermost frame first, does.
         *
         * A parked thread is idle where it waits in a pool for work, and inside a request where a frame of [inRequest] stands below the
         * park; to tell these two apart takes the whole stack, for both end in `Unsafe.park`. A thread that connects or writes counts as
         * waiting.
         */
        public fun of(stack: Array<StackTraceElement>, inRequest: (String) -> Boolean): Doing {
            val top = stack.firstOrNull()?.name ?: return Waiting
            return when {
                top in SELECTORS -> InSelector
                stack.take(NEAR).any { it.name in READS } -> BlockedInRead
                top in KERNEL -> Waiting
                top !in PARKS && top !in WAITS -> Running
                stack.any { it.name in IDLE } -> ParkedIdle
                stack.any { inRequest(it.className) } -> ParkedInRequest
                else -> Waiting
            }
        }

        /** The same from the innermost frame alone, as far as that goes: whether the rule of source 000 calls the thread parked. */
        public fun parkedByTopFrame(stack: Array<StackTraceElement>): Boolean = stack.firstOrNull()?.methodName == "park"

        private val StackTraceElement.name get() = "$className.$methodName"
        private const val NEAR = 8
    }
}
