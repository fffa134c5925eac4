package clientlab.server.page

import clientlab.server.request.*

/** The description of a server with this [limit] and these [recorded] delays, written when it is first asked for. */
internal class ServerDescription(private val limit: DelayLimit, private val recorded: Set<String>) : Description {
    override val page: String by lazy { indexPage(limit, recorded) }
    override val text: String by lazy { indexText() }
    override val openApi: String by lazy { openApi(limit) }
}

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

private fun takenBy(parameter: Parameter): String {
    val takers = Route.entries.filter { parameter in it.parameters.orEmpty() }
    val isEverywhere = Route.entries.filter { Parameter.FAULT in it.parameters.orEmpty() }.all { it in takers }
    return if (isEverywhere) "" else "   taken by ${takers.joinToString { it.shown }}"
}

private fun methodsOf(route: Route): String = route.methods.joinToString("|") { it.name() }

/** The index as a page for a browser, with a form to try every request; the page loads nothing else. */
private fun indexPage(limit: DelayLimit, recorded: Set<String>): String {
    val parts = mapOf(
        "style" to resource("page.css"),
        "script" to resource("page.js"),
        "seconds" to limit.seconds,
        "options" to TRIED.joinToString("") { "<option>${it.methods.first()} ${escaped(it.shown)}</option>" },
        "fields" to byGroup { group, parameters -> "<fieldset><legend>$group</legend>\n${parameters.joined(::field)}</fieldset>\n" },
        "examples" to EXAMPLES.joined { (words, target) -> "<li><a data-try href=\"${escaped(target)}\">$words</a></li>\n" },
        "routes" to Route.entries.joined(::row),
        "parameters" to byGroup { group, parameters -> "<h3 $TOP_MARGIN>$group</h3>\n<dl>\n${parameters.joined(::row)}</dl>\n" },
        "distributions" to DelayDistribution.Kind.entries.joined { row(it, recorded) },
        "routesJson" to routesJson(),
    )
    return Regex("""\{\{(\w+)}}""").replace(resource("page.html").trimEnd()) { parts.getValue(it.groupValues[1]) }
}

private fun <T> Iterable<T>.joined(html: (T) -> String): String = joinToString("", transform = html)

private fun byGroup(html: (String, List<Parameter>) -> String): String =
    Parameter.entries.groupBy { it.group }.entries.joined { (group, parameters) -> html(group, parameters) }

private fun field(parameter: Parameter): String {
    val key = parameter.key
    val values = parameter.values
    val tried = "placeholder=\"${escaped(parameter.tried)}\" spellcheck=\"false\">"
    val words = (values as? Values.Word)?.words.orEmpty().joined { "<option>$it</option>" }
    val input = when {
        values is Values.Switch -> "<input type=\"checkbox\" data-key=\"$key\">"
        values !is Values.Word -> "<input data-key=\"$key\" $tried"
        values.orBytes -> "<input data-key=\"$key\" list=\"$key-words\" $tried<datalist id=\"$key-words\">$words</datalist>"
        else -> "<select data-key=\"$key\"><option value=\"\">none</option>$words</select>"
    }
    return "<label title=\"${escaped(parameter.meaning)}\"><span>$key</span>$input</label>\n"
}

private fun row(route: Route): String {
    val query = when {
        route == Route.EVENTS -> "?events=5"
        route.parameters == EVERYWHERE -> "?delay=0.5"
        else -> ""
    }
    val target = route.prefix + route.value?.tried.orEmpty() + query
    val link = if (route in TRIED) "a data-try" else "a"
    val shown = "<$link href=\"$target\"><code>${escaped(route.shown)}</code></a>"
    val value = route.value?.let { "<small>${escaped(it.shown)}: ${it.meaning}</small>" }.orEmpty()
    return "<div><dt><span class=\"method\">${methodsOf(route)}</span>$shown</dt><dd>${escaped(route.summary)}$value</dd></div>\n"
}

private fun row(parameter: Parameter): String {
    val takers = takenBy(parameter).trim()
    val taken = if (takers.isEmpty()) "" else "<small>${escaped(takers)}</small>"
    val shown = "<code>${parameter.key}=${escaped(parameter.shown)}</code>"
    return "<div><dt>$shown</dt><dd>${escaped(parameter.meaning)}$taken</dd></div>\n"
}

private fun row(kind: DelayDistribution.Kind, recorded: Set<String>): String {
    val names = if (recorded.isEmpty()) "It was started with none." else "There is ${recorded.joinToString()}."
    val more = if (kind == DelayDistribution.Kind.FILE) "<small>$names</small>" else ""
    return "<div><dt><code>${escaped(kind.shown)}</code></dt><dd>${escaped(kind.meaning)}$more</dd></div>\n"
}

/** What the form must know about each path. It contains no `<`, so nothing in it can end the script element around it. */
private fun routesJson(): String {
    val routes = TRIED.map { route ->
        val parameters = route.parameters.orEmpty().map { it.key }
        val method = route.methods.first().name()
        mapOf("method" to method, "prefix" to route.prefix, "value" to (route.value != null), "parameters" to parameters)
    }
    return json(routes).toString()
}

private val ESCAPES = listOf("&" to "&amp;", "<" to "&lt;", ">" to "&gt;", "\"" to "&quot;")

private fun escaped(text: String): String = ESCAPES.fold(text) { escaped, (char, entity) -> escaped.replace(char, entity) }

private fun resource(name: String): String {
    val stream = Route::class.java.getResourceAsStream("/clientlab/server/page/$name")
    return checkNotNull(stream) { "The server's jar lacks $name." }.use { it.readBytes().decodeToString() }
}

private const val TOP_MARGIN = "style=\"margin-top:1.5rem\""
private val TRIED = Route.entries - setOf(Route.SOCKET, Route.OPENAPI, Route.INDEX) // the others are links

private val EXAMPLES = listOf(
    "a second and a half" to "/delay?delay=1.5&a=1",
    "any delay around 0.5 s" to "/delay?delay=normal(500ms,150ms)",
    "a long tail" to "/delay?delay=pareto(100ms,1.5)",
    "the same draw each time" to "/delay?delay=exp(400ms)&seed=42&a=7",
    "a slow first byte" to "/delay?bodyDelay=1.5",
    "drop by drop" to "/bytes/60?rate=20",
    "a megabyte over two seconds" to "/bytes/1000000?over=2",
    "an event each half second" to "/events?every=0.5&events=10",
    "503" to "/status/503?delay=0.3",
    "closed without an answer" to "/delay?delay=0.5&fault=close",
    "closed halfway" to "/bytes/1000?over=1&fault=close&at=half",
    "reset" to "/delay?delay=0.5&fault=reset",
    "stalled" to "/bytes/1000?delay=0.5&fault=stall&at=half",
)
