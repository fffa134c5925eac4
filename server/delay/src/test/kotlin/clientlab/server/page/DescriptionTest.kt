package clientlab.server.page

import clientlab.server.*
import clientlab.server.request.*
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import io.netty.handler.codec.http.HttpMethod
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.EnumSource
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** The page, the text and the document say what the server does, and nothing else. */
@Timeout(120)
internal class DescriptionTest {
    private val routes = DataRoutes(60.seconds, describe = ::ServerDescription)
    private val page = routes.index("text/html,application/xhtml+xml").text
    private val document = Json.parseToJsonElement(ask("/openapi.json").text).jsonObject

    private fun ask(target: String, method: HttpMethod = HttpMethod.GET) = routes.answer(method, target)

    @Test
    fun `a browser is given a page, and anybody else text`() {
        RunningServer().use { server ->
            val connection = server.connect()
            val html = connection.sendRequest("/", "Accept: text/html,*/*;q=0.8").readAnswer()
            html.headers.filter { it.startsWith("content-type") } shouldBe listOf("content-type: text/html; charset=utf-8")
            html.headers.any { it.startsWith("content-security-policy: default-src 'none'") } shouldBe true
            html.body shouldStartWith "<!DOCTYPE html>"
            val text = connection.sendRequest("/", "Accept: */*").readAnswer()
            text.headers.filter { it.startsWith("content-type") } shouldBe listOf("content-type: text/plain; charset=utf-8")
            text.headers.filter { it.startsWith("vary") } shouldBe listOf("vary: accept")
            text.body shouldStartWith "Delay server of Client Lab."
            server.get("/openapi.json").headers().firstValue("content-type").get() shouldBe "application/json"
        }
    }

    @Test
    fun `page, text and document name every path, parameter and distribution`() {
        val text = routes.index(null).text
        for (route in Route.entries) {
            page shouldContain route.shown.replace("<", "&lt;").replace(">", "&gt;")
            text shouldContain route.shown
        }
        for (parameter in Parameter.entries) {
            page shouldContain "data-key=\"${parameter.key}\""
            text shouldContain "  ${parameter.key}=${parameter.shown}"
        }
        for (kind in DelayDistribution.Kind.entries) {
            page shouldContain kind.shown
            text shouldContain kind.shown
        }
        document.getValue("paths").jsonObject.keys shouldContainExactlyInAnyOrder
            Route.entries.map { it.prefix + it.value?.let { value -> "{${value.key}}" }.orEmpty() }
    }

    @Test
    fun `the page takes nothing from anywhere else`() {
        Regex("(?:src|href|action)=\"(?!/|data:)[^\"]*\"")
            .findAll(page)
            .map { it.value }
            .toList()
            .shouldBeEmpty()
        Regex("@import|url\\(").findAll(page).toList().shouldBeEmpty()
        page shouldNotContain "http://"
        page shouldNotContain "https://"
    }

    @Test
    fun `every link of the page leads to what the server answers`() {
        val links = Regex("href=\"(/[^\"]*)\"").findAll(page).map { it.groupValues[1].replace("&amp;", "&") }.toList()
        links.size shouldBeInRange 20..60
        for (link in links) {
            val answer = ask(link)
            (answer.status == 400 || answer.status == 404) shouldBe false
        }
    }

    @ParameterizedTest
    @EnumSource(Route::class)
    fun `what the document gives as an example is answered`(route: Route) {
        val operations = document
            .getValue("paths")
            .jsonObject
            .getValue(route.prefix + route.value?.let { "{${it.key}}" }.orEmpty())
            .jsonObject
        operations.keys shouldContainExactlyInAnyOrder route.methods.map { it.name().lowercase() }
        for ((method, operation) in operations) {
            val parameters = operation.jsonObject.getValue("parameters").jsonArray.map { it.jsonObject }

            fun JsonObject.text(key: String) = getValue(key).jsonPrimitive.content
            val path = route.prefix + parameters.filter { it.text("in") == "path" }.joinToString("") { it.text("example") }
            val status = mapOf(Route.STATUS to 503, Route.SOCKET to 426)[route] ?: 200
            ask(path, HttpMethod.valueOf(method.uppercase())).status shouldBe status
            for (parameter in parameters.filter { it.text("in") == "query" }) {
                val query = when (val name = parameter.text("name")) {
                    "at" -> "fault=close&at=${parameter.text("example")}"
                    else -> "$name=${parameter.text("example")}"
                }
                ask("$path?$query", HttpMethod.valueOf(method.uppercase())).status shouldBe
                    if (parameter.text("name") == "status") 503 else status
            }
        }
    }

    @ParameterizedTest
    @CsvSource("60s", "2.5s", "86400s", "250ms", "1s", "100s", "99.99s", "0s")
    fun `the document's pattern of a time takes what the server takes, and no more`(longest: String) {
        val routes = DataRoutes(Duration.parse(longest), describe = ::ServerDescription)
        val text = routes.answer(HttpMethod.GET, "/openapi.json").text
        val delay = Json
            .parseToJsonElement(text)
            .jsonObject
            .getValue("paths")
            .jsonObject
            .getValue("/delay")
            .jsonObject
            .getValue("get")
            .jsonObject
            .getValue("parameters")
            .jsonArray
            .first()
            .jsonObject
        val pattern = Regex(delay.getValue("schema").jsonObject.getValue("pattern").jsonPrimitive.content)
        val near =
            listOf(0L, 1, 249, 250, 251, 999, 1_000, 2_499, 2_500, 2_501, 9_999, 59_999, 60_000, 60_001, 99_989, 99_990, 99_991, 86_400_000)
        val numbers = near.flatMap { ms ->
            val seconds = secondsText(ms.milliseconds.inWholeNanoseconds)
            listOf(seconds, "0$seconds", "$seconds${if ('.' in seconds) "" else "."}0", "${ms}ms", "${ms}000us", "${seconds}s", "$ms.5ms")
        }
        for (number in numbers + listOf(".", ".5", "5.", "", "-1", "1e1", "1.5.5", "abc", "1 s", ".25s", "00060", "061")) {
            val taken = routes.answer(HttpMethod.GET, "/delay?delay=${number.replace(" ", "%20")}").status == 200
            (number to pattern.matches(number)) shouldBe (number to taken)
        }
    }
}
