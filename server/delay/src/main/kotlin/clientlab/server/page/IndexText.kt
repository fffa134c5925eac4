package clientlab.server.page

import clientlab.server.request.*

/** The index as text, for a terminal. */
internal fun indexText(): String = buildString {
    append("Delay server of Client Lab.\n\n")
    val width = Route.entries.maxOf { methodsOf(it).length + it.shown.length } + 3
    for (route in Route.entries) append((methodsOf(route) + " " + route.shown).padEnd(width)).append(route.summary).append('\n')
    for (group in Group.entries) {
        append('\n').append(group.title).append('\n')
        for (parameter in Parameter.entries.filter { it.group == group }) {
            append("  ")
                .append(parameter.key)
                .append('=')
                .append(parameter.shown)
                .append(takenBy(parameter))
                .append('\n')
            append("      ").append(parameter.meaning).append('\n')
        }
    }
    append("\nDistributions, as in delay=normal(100ms,20ms)\n")
    for (kind in DelayDistribution.Kind.entries) append("  ").append(kind.shown.padEnd(KIND_WIDTH)).append(kind.meaning).append('\n')
    append("\nA request with a=<number> has a row of its own in /evidence/requests on the control port.")
}

/** Which routes take [parameter], if not all that take any. */
internal fun takenBy(parameter: Parameter): String {
    val takers = Route.entries.filter { parameter in it.parameters.orEmpty() }
    val isEverywhere = Route.entries.filter { it.parameters.orEmpty().size > 1 }.all { it in takers }
    return if (isEverywhere) "" else "   taken by ${takers.joinToString { it.shown }}"
}

/** The methods of [route], as a list shows them. */
internal fun methodsOf(route: Route): String = route.methods.joinToString("|") { it.name() }

private const val KIND_WIDTH = 28
