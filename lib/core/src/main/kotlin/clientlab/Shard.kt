package clientlab

import kotlinx.serialization.Serializable

/**
 * A part of an experiment that runs by itself: every [of]-th round, beginning with the [number]-th, from 1. Each round holds every
 * treatment once, so what is special about a shard's machine affects all treatments alike.
 */
@Serializable
public data class Shard(val number: Int, val of: Int) {
    init {
        refuseUnless(of >= 1 && number in 1..of) {
            "There is no shard $number of $of: the first is 1, and the last is as many as there are."
        }
    }

    /** Whether round [round], from 0, is in it. */
    public operator fun contains(round: Int): Boolean = round % of == number - 1

    override fun toString(): String = "$number/$of"

    public companion object {
        /** Reads `3/8`. */
        public fun parse(text: String): Shard {
            val numbers = text.split('/').map { it.toIntOrNull() }
            refuseUnless(numbers.size == 2 && null !in numbers) {
                "'$text' is no shard: write its number and how many there are, as in 3/8."
            }
            val (number, of) = numbers.filterNotNull()
            return Shard(number, of)
        }
    }
}
