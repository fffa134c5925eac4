package clientlab.burst

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Who answers a burst. */
@Serializable
public enum class Server(public val label: String) {
    /** The delay server, which tells what it saw. */
    @SerialName("delay")
    Delay("delay"),

    /** Ktor on Jetty with the pools of source 004; it tells less, and its accept queue holds 50. */
    @SerialName("jetty")
    Jetty("jetty"),

    ;

    override fun toString(): String = label
}

/** Where the coroutines run that send the requests of a burst. */
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

/** What is looked at beside the usual, where that disturbs enough to ask for forks of its own. */
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
