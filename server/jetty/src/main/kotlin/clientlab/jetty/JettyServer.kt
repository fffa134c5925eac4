package clientlab.jetty

import io.ktor.http.ContentType
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.ApplicationCallPipeline
import io.ktor.server.application.call
import io.ktor.server.engine.applicationEnvironment
import io.ktor.server.engine.connector
import io.ktor.server.engine.embeddedServer
import io.ktor.server.jetty.jakarta.Jetty
import io.ktor.server.request.httpVersion
import io.ktor.server.request.path
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Ktor on Jetty with the thread groups of source 004's journal: two that connect, five that work, ten that answer calls.
 *
 * A delay suspends and holds no thread, so the groups limit how fast requests are taken, and not how many wait. The evidence is on the
 * same port, because Jetty has one port; questions about it are not counted. The caller closes the server; [start] may be called once.
 */
public class JettyServer(private val settings: JettySettings = JettySettings()) : AutoCloseable {
    private val evidence = JettyEvidence()
    private val server = embeddedServer(
        Jetty,
        applicationEnvironment(),
        configure = {
            connector {
                host = settings.host
                port = settings.port
            }
            connectionGroupSize = CONNECTION_GROUP
            workerGroupSize = WORKER_GROUP
            callGroupSize = CALL_GROUP
        },
    ) { answer(evidence) }

    /** Listens, and returns the port; throws [CannotStartException] if it cannot, and then leaves nothing behind. */
    public fun start(): Int = try {
        server.start(wait = false)
        runBlocking { server.engine.resolvedConnectors() }.single().port
    } catch (refused: Exception) {
        close()
        throw CannotStartException(
            "${settings.host}:${settings.port} cannot be listened on (${refused.message}): choose another with --host and --port.",
            refused,
        )
    }

    /** Closes the port and every connection; may be called again. */
    override fun close(): Unit = server.stop(gracePeriodMillis = 0, timeoutMillis = 1_000)

    internal companion object {
        const val CONNECTION_GROUP: Int = 2
        const val WORKER_GROUP: Int = 5
        const val CALL_GROUP: Int = 10
    }
}

private fun Application.answer(evidence: JettyEvidence) {
    intercept(ApplicationCallPipeline.Monitoring) {
        if (call.request.path() !in COUNTED) return@intercept
        evidence.arrived(call.request.httpVersion.lowercase())
        var isAnswered = false
        try {
            proceed()
            isAnswered = true
        } finally {
            evidence.ended(isAnswered)
        }
    }
    routing {
        get("/datetime") { call.afterDelay { respondText(dateTimeJson(), ContentType.Application.Json) } }
        get("/delay") { call.afterDelay { seconds -> respondText("delayed $seconds s\n") } }
        get("/health") { call.respondText("ok\n") }
        get("/evidence") { call.respondText(evidence.json() + "\n", ContentType.Application.Json) }
        post("/evidence/reset") {
            val before = evidence.json()
            evidence.reset()
            call.respondText(before + "\n", ContentType.Application.Json)
        }
    }
}

private suspend fun ApplicationCall.afterDelay(answer: suspend ApplicationCall.(String) -> Unit) {
    val text = request.queryParameters["delay"] ?: "0"
    val wait = if (SECONDS.matches(text)) text.toBigDecimal().toDouble().seconds else Duration.INFINITE
    if (wait > 60.seconds) {
        val refusal = "delay=${text.take(40)} is not a number of seconds from 0 to 60: give one such as delay=1.5.\n"
        return respondText(refusal, status = HttpStatusCode.BadRequest)
    }
    holdFor(wait)
    answer(text)
}

/** A coroutine's delay is rounded to whole milliseconds and can end early, so this waits for the rest too. */
private suspend fun holdFor(wait: Duration) {
    val end = System.nanoTime() + wait.inWholeNanoseconds
    while (true) {
        val left = end - System.nanoTime()
        if (left <= 0) return
        delay(Math.ceilDiv(left, 1_000_000L))
    }
}

/** The time now, in the delay server's format. */
private fun dateTimeJson(): String {
    val now = Instant.now()
    val utc = now.atOffset(ZoneOffset.UTC)
    val text = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(utc)
    return """{"datetime":"$text","zone":"UTC","offsetSeconds":0,"date":"${utc.toLocalDate()}","dayOfWeek":"${utc.dayOfWeek}",""" +
        """"dayOfYear":${utc.dayOfYear},"epochMillis":${now.toEpochMilli()}}""" + "\n"
}

private val COUNTED = setOf("/datetime", "/delay")
private val SECONDS = Regex("""\d{1,9}(\.\d{0,9})?|\.\d{1,9}""")
