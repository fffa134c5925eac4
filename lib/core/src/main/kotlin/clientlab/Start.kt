package clientlab

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Whether a trial measures a fork that has done its work once before, or one that has not. */
@Serializable
public enum class Start(public val label: String) {
    @SerialName("warm")
    Warm("warm"),

    @SerialName("cold")
    Cold("cold"),
}
