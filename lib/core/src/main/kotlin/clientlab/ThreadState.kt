package clientlab

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** The activity of a platform thread at a snapshot, found from its stack. */
@Serializable
public enum class ThreadState(public val label: String) {
    /** On the processor, or ready for it. */
    @SerialName("running")
    Running("running"),

    /** In the kernel, until bytes of one connection arrive: one request holds the thread. */
    @SerialName("blockedInRead")
    BlockedInRead("blocked in a read"),

    /** In the kernel, until anything happens on any of many connections. */
    @SerialName("inSelector")
    InSelector("waiting in a selector"),

    /** Parked, or in `Object.wait`, below a call that waits for its answer: one request holds it, and source 000's rule does not see it. */
    @SerialName("parkedInRequest")
    ParkedInRequest("parked inside a request"),

    /** Parked in a pool, free for the next task. */
    @SerialName("parkedIdle")
    ParkedIdle("parked idle"),

    /** Asleep, in `Object.wait`, or waiting for something other than a request. */
    @SerialName("waiting")
    Waiting("sleeping or waiting"),

    ;

    /** Whether the thread is held by one request until its answer comes. */
    public val blocked: Boolean get() = this == BlockedInRead || this == ParkedInRequest

    override fun toString(): String = label
}

/** The number of platform threads of one [owner] in one [state] at the snapshot. */
@Serializable
public data class ThreadCount(
    val owner: String,
    @SerialName("doing") val state: ThreadState,
    val count: Int,
)
