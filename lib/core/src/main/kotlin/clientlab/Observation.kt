package clientlab

import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/**
 * What was seen of a client in one situation.
 *
 * @property situation the situation's group and name, as in `idle.closed-post`.
 * @property fact what the client did, in words. Two trials agree if their words are the same.
 * @property ms how long it took, where the time says something; null elsewhere.
 * @property concern why a reader should look at it: it is against a standard, dangerous, or not what a caller expects. Empty if it is not.
 * @property events what happened, in its order; empty in trials from before they were kept.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
public data class Observation(
    public val situation: String,
    public val fact: String,
    public val ms: Double? = null,
    public val concern: String = "",
    @EncodeDefault(EncodeDefault.Mode.NEVER) public val events: List<Event> = emptyList(),
)

/** [who] did [what] in a situation, [ms] after it began. */
@Serializable
public data class Event(
    public val ms: Double,
    public val who: Who,
    public val what: String,
) {
    /** Who does something: what a client does is what the server sees of it. */
    @Serializable
    public enum class Who {
        @SerialName("caller")
        Caller,

        @SerialName("client")
        Client,

        @SerialName("server")
        Server,
    }
}
