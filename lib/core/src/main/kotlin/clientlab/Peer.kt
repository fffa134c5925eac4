package clientlab

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** A program beside the delay server that a trial needs; a trial JVM is told where it is. */
@Serializable
public enum class Peer {
    /** Ktor on Jetty, as source 004 set it: running for the whole run, told by its base address. */
    @SerialName("jetty")
    Jetty,

    /** The gateway of `lib/gateway`: started and limited by the trial itself, told by its classpath. */
    @SerialName("gateway")
    Gateway,
}
