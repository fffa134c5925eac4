package clientlab.client

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration

/** What a time-out of a client waits for. */
@Serializable
public enum class TimeoutKind {
    /** For a connection of the pool, while all of them are in use. */
    @SerialName("pool")
    Pool,

    /** For the connection to be made. */
    @SerialName("connect")
    Connect,

    /** For the head of the answer, from the request on. What comes behind the head has no time-out of this kind. */
    @SerialName("answer")
    Answer,

    /** For the next bytes. A server that sends one byte now and then may take for ever. */
    @SerialName("read")
    Read,

    /** For the whole call, to the last byte of the answer. */
    @SerialName("call")
    Call,
}

/** A time-out that a library offers: the name of its [setting], and how long it is [byDefault]; null if there is none then. */
@Serializable
public data class TimeoutSetting(val setting: String, val byDefault: Duration? = null) {
    override fun toString(): String = "$setting: ${byDefault ?: "none"}"
}
