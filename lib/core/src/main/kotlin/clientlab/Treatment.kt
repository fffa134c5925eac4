package clientlab

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.longOrNull

/** The names of factors: one spelling for manifest, journal, column and legend. */
public object Factor {
    private val named = LinkedHashMap<String, String>()

    private fun named(name: String, meaning: String): String = name.also { named[it] = meaning }

    public val CLIENT: String = named(
        "client",
        "the client by id; behind `@` a configuration other than every limit opened, " +
            "behind `:` a version other than the lab's own",
    )
    public val VERSION: String = named("version", "the version of the client's library, where the client's id names one")
    public val PROTOCOL: String = named("protocol", "the HTTP version that is asked for")
    public val SERVER: String = named("server", "the server that answers: `delay`, ours, or `jetty`, that of source 004")
    public val DISPATCHER: String = named("dispatcher", "where the coroutines that send requests run")
    public val PAYLOAD: String = named("payload", "what an answer holds and how it is read: `text`, or `json` through content negotiation")
    public val MECHANISM: String =
        named("mechanism", "what a waiting task is: a bare or pooled platform thread, a virtual thread, a coroutine")
    public val EXECUTOR: String = named("executor", "what runs the tasks")
    public val OPERATION: String = named("operation", "what is done with the bytes: read, write, send, pipeline, download or upload")
    public val IO_API: String = named("means", "by what: a stream, a channel, a library")
    public val IN_FLIGHT: String = named("inFlight", "requests sent at once")
    public val HOSTS: String = named("hosts", "names under which the one server is asked, in turn: to a client as many hosts")
    public val RATE: String = named("rate", "requests a second, planned")
    public val ARRIVALS: String = named("arrivals", "when requests are planned: `constant`, at equal distances, or `poisson`, at random")
    public val LOOP: String = named("loop", "who decides when the next is sent: `open`, the plan alone, or `closed`, the answer before")
    public val SECONDS: String = named("seconds", "how long the load goes on")
    public val TASKS: String = named("tasks", "tasks in all")
    public val FEED: String = named("feed", "what comes over a stream while it is held")
    public val CYCLES: String = named("cycles", "how often a client is opened, used and closed")
    public val RETRIES: String =
        named("retries", "what callers do when an attempt has failed: `none`, or how many further attempts, and after which pauses")
    public val CALLS: String = named("calls", "requests that each task makes, one after another")
    public val BYTES: String = named("bytes", "bytes of one transfer")
    public val DELAY_MS: String = named("delayMs", "how long the server waits before it answers, in milliseconds")
    public val P99_MS: String = named("p99Ms", "the criterion of a capacity: the longest 99th percentile of latency, in milliseconds")
    public val STATE: String = named("state", "what the tasks do: `waiting` or `computing`")
    public val STACK_DEPTH: String = named("stackDepth", "frames of the stack below a waiting task")
    public val BACKGROUND: String = named("beside", "blocking tasks that run beside the requests")
    public val INSTRUMENT: String = named("instrument", "what is read or watched with, where that asks for a fork of its own")
    public val MEMORY_MIB: String = named("memoryMiB", "memory that the process may have, in MiB")
    public val THREADS: String = named("threadsMost", "threads that the process may have")

    /** Not `processors`: published data have a metric of that name. */
    public val PROCESSORS: String =
        named("clientProcessors", "processors that the trial JVM may use; the server and the generator run on others")
    public val START: String =
        named("start", "`warm` after a warm-up of its own, `cold` without one, or `steady`: warmed up until its series is steady")
    public val WIRE: String =
        named("wire", "the network between client and server: `direct`, or its round-trip time, and where given its jitter and bandwidth")
    public val JAVA: String = named("java", "the Java that the fork was started with, by version and vendor")
    public val JVM_ARGS: String = named("jvmArgs", "options of the trial JVM")
    public val ALIAS: String = named("alias", "one of two names for one and the same thing, so that what differs between them is noise")

    /** Every factor with its meaning, in the order in which a treatment prints its levels. */
    public val meanings: Map<String, String> = named

    public val all: List<String> = named.keys.toList()

    /** The factors whose levels need no factor name beside them. */
    internal val plain = setOf(CLIENT, PROTOCOL, START, MECHANISM, EXECUTOR, OPERATION, STATE, IO_API, ALIAS)
}

/** One combination of levels: factor to level, each a text or a whole number. Treatments with equal levels are equal, in any order. */
@Serializable
@JvmInline
public value class Treatment(public val levels: Map<String, JsonPrimitive>) {
    init {
        val unknown = levels.keys - Factor.all.toSet()
        refuseUnless(unknown.isEmpty()) { "Unknown factor ${unknown.first()}; a treatment knows ${Factor.all.joinToString()}." }
    }

    public constructor(vararg levels: Pair<String, Any>) : this(
        levels.associate { (factor, level) -> factor to if (level is Number) JsonPrimitive(level.toLong()) else JsonPrimitive("$level") },
    )

    /** The level of [factor] as a text, or null if the treatment has none. */
    public operator fun get(factor: String): String? = levels[factor]?.content

    /** The level of [factor] as a whole number; fails if there is none. */
    public fun number(factor: String): Long =
        levels[factor]?.longOrNull ?: throw LabException("The treatment $this has no whole number for $factor.")

    /** The same treatment with [level] as the level of [factor]. */
    public fun with(factor: String, level: String): Treatment = Treatment(levels + (factor to JsonPrimitive(level)))

    /** The same treatment without [factor]. */
    public fun without(factor: String): Treatment = Treatment(levels - factor)

    public val client: String? get() = get(Factor.CLIENT)

    /** How many processors the trial JVM has for itself, or null where it may use any. */
    public val processors: Int? get() = get(Factor.PROCESSORS)?.toInt()

    /** The same text for equal treatments: the key of a trial within its round. */
    public val key: String get() = Factor.all.filter { it in levels }.joinToString(";") { "$it=${levels.getValue(it).content}" }

    override fun toString(): String =
        Factor.all.filter { it in levels }.joinToString(", ") { factor ->
            val level = levels.getValue(factor).content
            when (factor) {
                in Factor.plain -> level
                Factor.IN_FLIGHT -> "$level in flight"
                Factor.DELAY_MS -> "$level ms"
                Factor.P99_MS -> "p99 of $level ms"
                Factor.BYTES -> level.toLongOrNull()?.takeIf { it % MEBIBYTE == 0L }?.let { "${it / MEBIBYTE} MiB" } ?: "$level bytes"
                else -> "$factor $level"
            }
        }
}

private const val MEBIBYTE = 1L shl 20
