package clientlab.burst

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** The server that answers a burst. */
@Serializable
public enum class Server(public val label: String) {
    /** The delay server, which reports its evidence. */
    @SerialName("delay")
    Delay("delay"),

    /** Ktor on Jetty with the pools of source 004. It reports less, and its accept queue holds 50. */
    @SerialName("jetty")
    Jetty("jetty"),

    ;

    override fun toString(): String = label
}

/** The dispatcher of the coroutines that send a burst. */
@Serializable
public enum class Dispatch(public val label: String) {
    /** On the thread that sends the burst, one event loop, as `runBlocking` has it. */
    @SerialName("as-caller")
    AsCaller("as-caller"),

    /** On one thread of their own. */
    @SerialName("one-thread")
    OneThread("one-thread"),

    /** On `Executors.newCachedThreadPool()`: as many threads as run at once. */
    @SerialName("cached-pool")
    CachedPool("cached-pool"),

    /** On `Dispatchers.IO`. */
    @SerialName("io")
    Io("io"),

    /** On `Dispatchers.Default`. */
    @SerialName("default")
    Default("default"),

    ;

    override fun toString(): String = label
}

/** Additional instruments that disturb a trial, so they need separate forks. */
@Serializable
public enum class Instrument(public val label: String) {
    @SerialName("none")
    None("none"),

    /** Stacks by processor time, with async-profiler. */
    @SerialName("cpu-profile")
    CpuProfile("cpu-profile"),

    /** Stacks by bytes allocated, with async-profiler. */
    @SerialName("allocation-profile")
    AllocationProfile("allocation-profile"),

    ;

    override fun toString(): String = label
}
