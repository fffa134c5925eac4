package clientlab.server.page

import clientlab.server.request.*
import kotlinx.serialization.json.add
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonArray
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray

/** The index as a page for a browser, with a form to try every request; the page loads nothing else. */
internal fun indexPage(limit: DelayLimit, recorded: Set<String>): String = buildString {
    append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Delay server of Client Lab</title>\n")
    append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    append("<link rel=\"icon\" href=\"data:,\">\n<style>\n").append(resource("page.css")).append("</style>\n</head>\n<body>\n<header>\n")
    append("<h1>Delay server</h1>\n<p class=\"lead\">It answers after the delay that you ask for, up to ")
    append(limit.seconds).append(" seconds: in one piece or drop by drop, well, badly or not at all.</p>\n</header>\n<main>\n")
    composer()
    examples()
    routes()
    parameters()
    distributions(recorded)
    append(
        "</main>\n<footer><p>The same for programs: <a href=\"/openapi.json\">an OpenAPI document</a>. What the server saw of it all ",
        "is on ",
    )
    append("its control port, whose number it printed when it started: <code>/evidence</code>.</p></footer>\n")
    append("<script type=\"application/json\" id=\"routes\">").append(routesJson()).append("</script>\n")
    append("<script>\n").append(resource("page.js")).append("</script>\n</body>\n</html>")
}

private fun StringBuilder.composer() {
    append("<h2 id=\"trying\">Try it</h2>\n<noscript><p>The links below work as they are; the form needs JavaScript.</p></noscript>\n")
    append("<form id=\"try\" hidden autocomplete=\"off\">\n<div class=\"path\">\n<label><span>Path</span><select id=\"route\">")
    for (route in TRIED) {
        append("<option>")
            .append(methodOf(route))
            .append(' ')
            .append(escaped(route.shown))
            .append("</option>")
    }
    append(
        "</select></label>\n<label><span>Its value</span><input id=\"value\" inputmode=\"numeric\" spellcheck=\"false\"></label>\n</div>\n",
    )
    append("<div class=\"groups\">\n")
    for (group in Group.entries) {
        append("<fieldset><legend>").append(group.title).append("</legend>\n")
        Parameter.entries.filter { it.group == group }.forEach { field(it) }
        append("</fieldset>\n")
    }
    append("</div>\n<div class=\"send\"><button>Send</button><button type=\"button\" class=\"quiet\" id=\"stop\" hidden>Stop</button>")
    append("<output id=\"url\" class=\"code\"></output></div>\n</form>\n")
    append(
        "<p class=\"curl\" id=\"curl-line\" hidden><code id=\"curl\"></code></p>\n",
        "<ol class=\"seen\" id=\"seen\" aria-live=\"polite\"></ol>\n",
    )
    append("<p class=\"said\" id=\"legend\" hidden><i class=\"key\" style=\"background:var(--wait)\"></i>until the head")
    append(
        "<i class=\"key\" style=\"background:var(--accent)\"></i>the body<i class=\"key\" style=\"background:var(--bad)\"></i>",
        "broken off. A browser repeats a request by itself if a connection ends without an answer.</p>\n",
    )
}

private fun StringBuilder.field(parameter: Parameter) {
    val key = parameter.key
    append("<label title=\"")
        .append(escaped(parameter.meaning))
        .append("\"><span>")
        .append(key)
        .append("</span>")
    when (val values = parameter.values) {
        is Values.Switch -> {
            append("<input type=\"checkbox\" data-key=\"").append(key).append("\">")
        }

        is Values.Word -> {
            if (values.orBytes) {
                append("<input data-key=\"")
                    .append(key)
                    .append("\" list=\"")
                    .append(key)
                    .append("-words\" placeholder=\"")
                append(escaped(parameter.tried)).append("\" spellcheck=\"false\"><datalist id=\"").append(key).append("-words\">")
                values.words.forEach { append("<option>").append(it).append("</option>") }
                append("</datalist>")
            } else {
                append("<select data-key=\"").append(key).append("\"><option value=\"\">none</option>")
                values.words.forEach { append("<option>").append(it).append("</option>") }
                append("</select>")
            }
        }

        else -> {
            append("<input data-key=\"").append(key).append("\" placeholder=\"")
            append(escaped(parameter.tried)).append("\" spellcheck=\"false\">")
        }
    }
    append("</label>\n")
}

private fun StringBuilder.examples() {
    append("<h3 style=\"margin-top:1.5rem\">Or one of these</h3>\n<ul class=\"examples\">\n")
    for ((words, target) in EXAMPLES) {
        append("<li><a data-try href=\"")
            .append(escaped(target))
            .append("\">")
            .append(words)
            .append("</a></li>\n")
    }
    append("</ul>\n")
}

private fun StringBuilder.routes() {
    append("<h2 id=\"paths\">Paths</h2>\n<dl>\n")
    for (route in Route.entries) {
        val target = route.prefix + route.value?.tried.orEmpty() + if (route.parameters == QueryParameters.EVERYWHERE) "?delay=0.5" else ""
        append("<div><dt><span class=\"method\">").append(methodsOf(route)).append("</span>")
        val shown = escaped(route.shown)
        when {
            route in TRIED -> append("<a data-try href=\"")
                .append(target)
                .append("\"><code>")
                .append(shown)
                .append("</code></a>")

            else -> append("<a href=\"")
                .append(target)
                .append("\"><code>")
                .append(shown)
                .append("</code></a>")
        }
        append("</dt><dd>").append(escaped(route.summary))
        if (route.value !=
            null
        ) {
            append("<small>")
                .append(escaped(route.value.shown))
                .append(": ")
                .append(route.value.meaning)
                .append("</small>")
        }
        append("</dd></div>\n")
    }
    append("</dl>\n")
}

private fun StringBuilder.parameters() {
    append("<h2 id=\"query\">What a query may say</h2>\n<p>All of it may be put together. First comes the delay, then the head, then ")
    append("<code>bodyDelay</code>, then the body at its pace. What cannot be is answered 400, with a sentence.</p>\n")
    for (group in Group.entries) {
        append("<h3 style=\"margin-top:1.5rem\">").append(group.title).append("</h3>\n<dl>\n")
        for (parameter in Parameter.entries.filter { it.group == group }) {
            append("<div><dt><code>")
                .append(parameter.key)
                .append('=')
                .append(escaped(parameter.shown))
                .append("</code></dt><dd>")
            append(escaped(parameter.meaning))
            val taken = takenBy(parameter)
            if (taken.isNotEmpty()) append("<small>").append(escaped(taken.trim())).append("</small>")
            append("</dd></div>\n")
        }
        append("</dl>\n")
    }
}

private fun StringBuilder.distributions(recorded: Set<String>) {
    append("<h2 id=\"distributions\">Delays to draw from</h2>\n<p>As in <code>delay=normal(100ms,20ms)</code>. ")
    append("With <code>seed</code> and a number in <code>a</code>, the same two always give the same delay.</p>\n<dl>\n")
    for (kind in DelayDistribution.Kind.entries) {
        append("<div><dt><code>").append(escaped(kind.shown)).append("</code></dt><dd>").append(escaped(kind.meaning))
        if (kind == DelayDistribution.Kind.FILE) {
            append(
                "<small>",
            ).append(if (recorded.isEmpty()) "It was started with none." else "There is ${recorded.joinToString()}.").append("</small>")
        }
        append("</dd></div>\n")
    }
    append("</dl>\n")
}

/** What the form has to know about each path; it contains no `<`, so that nothing can end the script element around it. */
private fun routesJson(): String = buildJsonArray {
    for (route in TRIED) {
        addJsonObject {
            put("method", methodOf(route))
            put("prefix", route.prefix)
            put("value", route.value != null)
            putJsonArray("parameters") { route.parameters.orEmpty().forEach { add(it.key) } }
        }
    }
}.toString()

private fun methodOf(route: Route): String = route.methods.first().name()

private fun escaped(text: String): String =
    text
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")

private fun resource(name: String): String =
    checkNotNull(Route::class.java.getResourceAsStream("/clientlab/server/page/$name")) {
        "The server's jar lacks $name."
    }.use { it.readBytes().decodeToString() }

/** The routes that the form can send; the others are links. */
private val TRIED = Route.entries - setOf(Route.OPENAPI, Route.INDEX)

private val EXAMPLES = listOf(
    "a second and a half" to "/delay?delay=1.5&a=1",
    "any delay around 0.5 s" to "/delay?delay=normal(500ms,150ms)",
    "a long tail" to "/delay?delay=pareto(100ms,1.5)",
    "the same draw each time" to "/delay?delay=exp(400ms)&seed=42&a=7",
    "a slow first byte" to "/delay?bodyDelay=1.5",
    "drop by drop" to "/bytes/60?rate=20",
    "a megabyte over two seconds" to "/bytes/1000000?over=2",
    "503" to "/status/503?delay=0.3",
    "closed without an answer" to "/delay?delay=0.5&fault=close",
    "closed halfway" to "/bytes/1000?over=1&fault=close&at=half",
    "reset" to "/delay?delay=0.5&fault=reset",
    "stalled" to "/bytes/1000?delay=0.5&fault=stall&at=half",
)
