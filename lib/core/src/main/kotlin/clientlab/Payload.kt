package clientlab

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** What an answer contains, and how the client reads it; [label] is its spelling in treatments. */
@Serializable
public enum class Payload(public val label: String) {
    /** Bytes, which are read to their end and not interpreted. */
    @SerialName("text")
    Text("text"),

    /** JSON, decoded into a [Datetime] in the way of the client's library. */
    @SerialName("json")
    Json("json"),

    ;

    override fun toString(): String = label
}

/** The answer of `GET /datetime` (source 004). The moment alone is read; other keys are ignored. */
@Serializable
public data class Datetime(val datetime: String)
