package clientlab

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** What an answer holds, and how far a client takes it: [label] is its spelling in treatments. */
@Serializable
public enum class Payload(public val label: String) {
    /** Bytes, read to their end and looked at no further. */
    @SerialName("text")
    Text("text"),

    /** JSON, decoded into a [Datetime] by the way that the client's library has for it. */
    @SerialName("json")
    Json("json"),

    ;

    override fun toString(): String = label
}

/** The answer of `GET /datetime` (source 004), of which the moment is all that is read; other keys are passed over. */
@Serializable
public data class Datetime(
    val datetime: String,
)
