package clientlab

/** A factor's name, and the levels that a workload gives it. */
internal typealias Levels = Pair<String, List<Any>>

/** Refuses a factor of [workload], a noun as in "burst", without a level or with one twice. */
internal fun refuseUnlessDistinct(workload: String, factors: List<Levels>): Unit =
    factors.forEach { (factor, levels) ->
        refuseUnless(levels.isNotEmpty()) { "The factor $factor of $workload needs at least one level." }
        val twice = levels.groupBy { it }.values.firstOrNull { it.size > 1 }
        refuseUnless(twice == null) { "The level ${twice?.first()} of $factor stands in $workload more than once: name it once." }
    }

/** A treatment for every combination of levels; the last factor changes first. */
internal fun crossed(factors: List<Levels>): List<Treatment> =
    factors.fold(listOf(Treatment())) { made, (factor, levels) ->
        made.flatMap { before -> levels.map { Treatment(before.levels + Treatment(factor to it).levels) } }
    }

/** [levels] as a factor, or no factor where they are the [usual] level alone: such a column would say nothing. */
internal fun varied(factor: String, levels: List<Any>, usual: Any): List<Levels> =
    if (levels == listOf(usual)) emptyList() else listOf(factor to levels)

/** The factor of the trial JVM's own [processors], or no factor where there are none: it may then use any. */
internal fun pinned(processors: List<Int>): List<Levels> {
    val impossible = processors.firstOrNull { it < 1 }
    refuseUnless(impossible == null) { "$impossible processors run no client: give at least 1, or none to leave it any." }
    return if (processors.isEmpty()) emptyList() else listOf(Factor.PROCESSORS to processors)
}

/** Refuses a client of [clients] that does not speak a protocol of [protocol]. */
internal fun refuseUnlessSpoken(clients: List<ClientInfo>, protocol: List<Protocol>): Unit =
    clients.forEach { client ->
        val unspoken = protocol.firstOrNull { it !in client.protocols }
        refuseUnless(unspoken == null) {
            "${client.id} does not speak $unspoken: it speaks ${client.protocols.joinToString()}, so leave one of the two out."
        }
    }
