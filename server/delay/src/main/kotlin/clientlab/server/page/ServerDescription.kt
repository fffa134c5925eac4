package clientlab.server.page

import clientlab.server.request.*

/** The description of a server with this [limit] and these [recorded] delays, written when it is first asked for. */
internal class ServerDescription(private val limit: DelayLimit, private val recorded: Set<String>) : Description {
    override val page: String by lazy { indexPage(limit, recorded) }
    override val text: String by lazy { indexText() }
    override val openApi: String by lazy { openApi(limit) }
}

/** The index as text, for a terminal. */
private fun indexText(): String = buildString {
    append("Delay server of Client Lab.\n\n")
    val width = Route.entries.maxOf { methodsOf(it).length + it.shown.length } + 3
    for (route in Route.entries) append("${methodsOf(route)} ${route.shown}".padEnd(width) + route.summary + "\n")
    for ((group, parameters) in Parameter.entries.groupBy { it.group }) {
        append("\n$group\n")
        parameters.forEach { append("  ${it.key}=${it.shown}${takenBy(it)}\n      ${it.meaning}\n") }
    }
    append("\nDistributions, as in delay=normal(100ms,20ms)\n")
    DelayDistribution.Kind.entries.forEach { append("  ${it.shown.padEnd(28)}${it.meaning}\n") }
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
