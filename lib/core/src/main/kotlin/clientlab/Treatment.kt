package clientlab

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.longOrNull

/** The names that a factor may have: one spelling each in manifest, journal, column and legend. */
public object Factor {
    public const val CLIENT: String = "client"
    public const val IN_FLIGHT: String = "inFlight"
    public const val DELAY_MS: String = "delayMs"
    public const val PROTOCOL: String = "protocol"
    public const val START: String = "start"

    /** The fixed vocabulary, in the order in which a treatment prints its levels. */
    public val all: List<String> =
        listOf(
            CLIENT,
            "version",
            PROTOCOL,
            IN_FLIGHT,
            DELAY_MS,
            "tasks",
            "calls",
            "payload",
            "bytes",
            "dispatcher",
            "executor",
            "rate",
            START,
            "jvmArgs",
        )
}

/**
 * One combination of levels: an ordered map of factor to level, each level a text or a whole number.
 *
 * Two treatments are equal when they have the same levels, whatever their order.
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

    /** The level of [factor] as a text, or null where the treatment has none. */
    public operator fun get(factor: String): String? = levels[factor]?.content

    /** The level of [factor] as a whole number; fails where there is none. */
    public fun number(factor: String): Long =
        levels[factor]?.longOrNull ?: throw Refusal("The treatment $this has no whole number for $factor.")

    public val client: String? get() = get(Factor.CLIENT)

    /** A spelling that is the same for equal treatments: the key of a trial within its round. */
    public val key: String get() = Factor.all.filter { it in levels }.joinToString(";") { "$it=${levels.getValue(it).content}" }

    override fun toString(): String =
        Factor.all.filter { it in levels }.joinToString(", ") { factor ->
            val level = levels.getValue(factor).content
            when (factor) {
                Factor.CLIENT, Factor.PROTOCOL, Factor.START -> level
                Factor.IN_FLIGHT -> "$level in flight"
                Factor.DELAY_MS -> "$level ms"
                else -> "$factor $level"
            }
        }
}
