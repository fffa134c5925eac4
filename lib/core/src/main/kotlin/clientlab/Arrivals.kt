package clientlab

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/** When the requests of an open loop are planned. */
@Serializable
public enum class Arrivals {
    /** At equal distances. */
    @SerialName("constant")
    Constant,

    /** At random, as from many independent callers: a Poisson process. */
    @SerialName("poisson")
    Poisson,
}
