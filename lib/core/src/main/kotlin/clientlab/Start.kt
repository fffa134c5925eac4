package clientlab

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Whether a trial measures a fork after a warm-up or without one. */
@Serializable
public enum class Start(public val label: String) {
    @SerialName("warm")
    Warm("warm"),

    @SerialName("cold")
    Cold("cold"),
}
