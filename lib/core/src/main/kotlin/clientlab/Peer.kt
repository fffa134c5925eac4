package clientlab

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** A program that a trial needs besides the delay server; the trial spec says where it is. */
@Serializable
public enum class Peer {
    /** Ktor on Jetty, as source 004 set it: it runs during the whole run; the trial gets its base address. */
    @SerialName("jetty")
    Jetty,

    /** The gateway of `lib/gateway`: the trial itself starts and limits it; the trial gets its classpath. */
    @SerialName("gateway")
    Gateway,
}
