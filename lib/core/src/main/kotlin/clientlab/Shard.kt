package clientlab

import kotlinx.serialization.Serializable

/**
 * A part of an experiment that runs by itself: every [of]-th round, beginning with the [number]-th, from 1.
 *
 * Shards divide rounds, and each round holds every treatment once. So what is special about a shard's machine affects all treatments
 * alike.
 */
@Serializable
public data class Shard(val number: Int, val of: Int) {
    init {
        refuseUnless(
            of >= 1 && number in 1..of,
        ) { "There is no shard $number of $of: the first is 1, and the last is as many as there are." }
    }

    /** Whether round [round], from 0, is in it. */
    public operator fun contains(round: Int): Boolean = round % of == number - 1

    override fun toString(): String = "$number/$of"

    public companion object {
        /** Reads `3/8`. */
        public fun parse(text: String): Shard {
            val (number, of) =
                text
                    .split('/')
                    .map { it.toIntOrNull() }
                    .takeIf { it.size == 2 && null !in it }
                    ?.filterNotNull()
                    ?: throw LabException("'$text' is no shard: write its number and how many there are, as in 3/8.")
            return Shard(number, of)
        }
    }
}
