package clientlab

import kotlinx.serialization.Serializable

/**
 * What was seen of a client in one situation.
 *
 * @property situation the situation's group and name, as in `idle.closed-post`.
 * @property fact what the client did, in words. Two trials agree if their words are the same.
 * @property ms how long it took, where the time says something; null elsewhere.
 * @property concern why a reader should look at it: it is against a standard, dangerous, or not what a caller expects. Empty if it is not.
 */
@Serializable
public data class Observation(
    public val situation: String,
    public val fact: String,
    public val ms: Double? = null,
    public val concern: String = "",
)
