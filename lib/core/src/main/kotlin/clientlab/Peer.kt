package clientlab

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** A program that a trial needs besides the delay server; the trial spec says where it is. */
@Serializable
public enum class Peer {
    /** Ktor on Jetty, as source 004 set it: running for the whole run, told by its base address. */
    @SerialName("jetty")
    Jetty,

    /** The gateway of `lib/gateway`: started and limited by the trial itself, told by its classpath. */
    @SerialName("gateway")
    Gateway,
}
