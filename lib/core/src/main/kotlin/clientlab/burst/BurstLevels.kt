package clientlab.burst

import clientlab.*
import kotlinx.serialization.Serializable

/** The server that answers a burst. */
@Serializable(with = ServerByLabel::class)
public enum class Server(override val label: String) : Labelled {
    /** The delay server, which reports its evidence. */
    Delay("delay"),

    /** Ktor on Jetty with the pools of source 004. It reports less, and its accept queue holds 50. */
    Jetty("jetty"),
    ;

    override fun toString(): String = label
}

internal object ServerByLabel : ByLabel<Server>("Server", Server.entries)

/**
 * The dispatcher of the coroutines that send a burst: the thread that sends, which is one event loop as `runBlocking` has it, one thread of
 * their own, `Executors.newCachedThreadPool()`, `Dispatchers.IO` or `Dispatchers.Default`.
 */
@Serializable(with = DispatchByLabel::class)
public enum class Dispatch(override val label: String) : Labelled {
    AsCaller("as-caller"),
    OneThread("one-thread"),
    CachedPool("cached-pool"),
    Io("io"),
    Default("default"),
    ;

    override fun toString(): String = label
}

internal object DispatchByLabel : ByLabel<Dispatch>("Dispatch", Dispatch.entries)

/** Profilers. They disturb a trial, so a profiled trial has its own fork. async-profiler samples stacks by processor time or allocated bytes. */
@Serializable(with = InstrumentByLabel::class)
public enum class Instrument(override val label: String) : Labelled {
    None("none"),
    CpuProfile("cpu-profile"),
    AllocationProfile("allocation-profile"),
    ;

    override fun toString(): String = label
}

internal object InstrumentByLabel : ByLabel<Instrument>("Instrument", Instrument.entries)

/** Other work in the JVM during a burst. */
@Serializable(with = BackgroundLoadByLabel::class)
public enum class BackgroundLoad(override val label: String) : Labelled {
    None("none"),

    /** 150 × 64 tasks of 10 ms that each block a thread of `Dispatchers.IO`, as in source 000. */
    IdleIo("idle-io"),
    ;

    override fun toString(): String = label
}

internal object BackgroundLoadByLabel : ByLabel<BackgroundLoad>("BackgroundLoad", BackgroundLoad.entries)
