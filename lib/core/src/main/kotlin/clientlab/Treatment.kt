package clientlab

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.longOrNull

/** The names of factors: one spelling for manifest, journal, column and legend. */
public object Factor {
    public const val CLIENT: String = "client"
    public const val VERSION: String = "version"
    public const val PROTOCOL: String = "protocol"
    public const val SERVER: String = "server"
    public const val DISPATCHER: String = "dispatcher"
    public const val PAYLOAD: String = "payload"
    public const val MECHANISM: String = "mechanism"
    public const val EXECUTOR: String = "executor"
    public const val OPERATION: String = "operation"
    public const val IO_API: String = "means"
    public const val IN_FLIGHT: String = "inFlight"
    public const val HOSTS: String = "hosts"
    public const val RATE: String = "rate"
    public const val ARRIVALS: String = "arrivals"
    public const val LOOP: String = "loop"
    public const val SECONDS: String = "seconds"
    public const val TASKS: String = "tasks"
    public const val CALLS: String = "calls"
    public const val BYTES: String = "bytes"
    public const val DELAY_MS: String = "delayMs"
    public const val STATE: String = "state"
    public const val STACK_DEPTH: String = "stackDepth"
    public const val BACKGROUND: String = "beside"
    public const val INSTRUMENT: String = "instrument"
    public const val MEMORY_MIB: String = "memoryMiB"
    public const val THREADS: String = "threadsMost"
    public const val START: String = "start"
    public const val JAVA: String = "java"
    public const val JVM_ARGS: String = "jvmArgs"
    public const val ALIAS: String = "alias"

    /** Every factor with its meaning, in the order in which a treatment prints its levels. */
    public val meanings: Map<String, String> =
        mapOf(
            CLIENT to
                "the client by id; behind `@` a configuration other than every limit opened, behind `:` a version other than the lab's own",
            VERSION to "the version of the client's library, where the client's id names one",
            PROTOCOL to "the HTTP version that is asked for",
            SERVER to "the server that answers: `delay`, ours, or `jetty`, that of source 004",
            DISPATCHER to "where the coroutines that send requests run",
            PAYLOAD to "what an answer holds and how it is read: `text`, or `json` through content negotiation",
            MECHANISM to "what a waiting task is: a bare or pooled platform thread, a virtual thread, a coroutine",
            EXECUTOR to "what runs the tasks",
            OPERATION to "what is done with the bytes: read, write, send, pipeline, download or upload",
            IO_API to "by what: a stream, a channel, a library",
            IN_FLIGHT to "requests sent at once",
            HOSTS to "names under which the one server is asked, in turn: to a client as many hosts",
            RATE to "requests a second, planned",
            ARRIVALS to "when requests are planned: `constant`, at equal distances, or `poisson`, at random",
            LOOP to "who decides when the next is sent: `open`, the plan alone, or `closed`, the answer before",
            SECONDS to "how long the load goes on",
            TASKS to "tasks in all",
            CALLS to "requests that each task makes, one after another",
            BYTES to "bytes of one transfer",
            DELAY_MS to "how long the server waits before it answers, in milliseconds",
            STATE to "what the tasks do: `waiting` or `computing`",
            STACK_DEPTH to "frames of the stack below a waiting task",
            BACKGROUND to "blocking tasks that run beside the requests",
            INSTRUMENT to "what is read or watched with, where that asks for a fork of its own",
            MEMORY_MIB to "memory that the process may have, in MiB",
            THREADS to "threads that the process may have",
            START to "`warm` after a warm-up of its own, or `cold`",
            JAVA to "the Java that the fork was started with, by version and vendor",
            JVM_ARGS to "options of the trial JVM",
            ALIAS to "one of two names for one and the same thing, so that what differs between them is noise",
        )

    /** The names alone. */
    public val all: List<String> = meanings.keys.toList()
}

/**
 * One combination of levels: an ordered map of factor to level, each level a text or a whole number.
 *
 * Two treatments are equal if they have the same levels, in any order.
 */
@Serializable
@JvmInline
public value class Treatment(public val levels: Map<String, JsonPrimitive>) {
    init {
        val unknown = levels.keys - Factor.all.toSet()
        refuseUnless(unknown.isEmpty()) { "Unknown factor ${unknown.first()}; a treatment knows ${Factor.all.joinToString()}." }
    }

    public constructor(vararg levels: Pair<String, Any>) : this(
        levels.associate { (factor, level) ->
            factor to if (level is Number) JsonPrimitive(level.toLong()) else JsonPrimitive(level.toString())
        },
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

    /** The same text for equal treatments: the key of a trial within its round. */
    public val key: String get() = Factor.all.filter { it in levels }.joinToString(";") { "$it=${levels.getValue(it).content}" }

    override fun toString(): String =
        Factor.all.filter { it in levels }.joinToString(", ") { factor ->
            val level = levels.getValue(factor).content
            when (factor) {
                in NAMED -> level
                Factor.IN_FLIGHT -> "$level in flight"
                Factor.DELAY_MS -> "$level ms"
                Factor.BYTES -> level.toLongOrNull()?.takeIf { it % MEBIBYTE == 0L }?.let { "${it / MEBIBYTE} MiB" } ?: "$level bytes"
                else -> "$factor $level"
            }
        }
}

/** The factors whose levels need no factor name beside them. */
private val NAMED =
    setOf(
        Factor.CLIENT,
        Factor.PROTOCOL,
        Factor.START,
        Factor.MECHANISM,
        Factor.EXECUTOR,
        Factor.OPERATION,
        Factor.STATE,
        Factor.IO_API,
        Factor.ALIAS,
    )

private const val MEBIBYTE = 1L shl 20
