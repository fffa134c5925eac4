package clientlab.articles.conduct

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.made.*
import io.kotest.matchers.collections.shouldContainExactly
import org.junit.jupiter.api.Test

/** Every claim about conduct, against trials made by hand. */
class ConductClaimsTest : HeldToTrials(conductClaims + conductVersionClaims) {
    private fun forks(client: String, situation: String, fact: String, ms: Double? = null): List<Trial> = List(8) { round ->
        Trial(
            experiment = "made",
            round = round,
            treatment = Treatment(Factor.CLIENT to client),
            warmup = false,
            outcome = Outcome.Complete,
            metrics = emptyMap(),
            observations = listOf(Observation(situation, fact, ms)),
        )
    }

    /** Two clients that do what is right, and one of them beside one that does what is wrong. */
    private fun case(situation: String, right: String, wrong: String, rightMs: Double? = null, wrongMs: Double? = null): Case {
        val good = forks("jdk", situation, right, rightMs)
        return Case(good + forks("okhttp", situation, right, rightMs), good + forks("okhttp", situation, wrong, wrongMs))
    }

    /** A former and a later release of a library, which differ as a claim says, or do not. */
    private fun releases(situation: String, former: Pair<String, String>, later: Pair<String, String>): Case {
        val before = forks(former.first, situation, former.second)
        return Case(before + forks(later.first, situation, later.second), before + forks(later.first, situation, former.second))
    }

    /** Ktor CIO's uploads in four releases: busy in two of them, or from the second one on. */
    private fun busyUploads(): Case {
        fun seen(release: String, fact: String) = forks("ktor-cio:$release", "threads.unread-upload", fact)
        val waits = "waits almost without processor time"
        val busy = "keeps a processor busy while it waits"
        val before = seen("2.3.13", waits) + seen("3.0.0", busy) + seen("3.6.0", busy)
        return Case(before + seen("3.6.1", waits), before + seen("3.6.1", busy))
    }

    override val cases: Map<String, Case> = mapOf(
        "conduct.in-time" to case("timeouts.no-answer", "fails (A) in time", "fails (A) late", rightMs = 405.0, wrongMs = 1_001.0),
        "conduct.whole-call" to case("timeouts.trickle", "fails (A) in time", "reads to the end", rightMs = 405.0, wrongMs = 1_001.0),
        "conduct.cancelled" to case(
            "cancellation.waiting",
            "the caller is free at once, the connection is closed",
            "the caller is free at once, the connection stays open",
        ),
        "conduct.stale" to case("idle.closed-get", "opens another connection", "fails (A)"),
        "conduct.once" to case("idle.closed-on-post", "sends it once: fails (A)", "sends it again: 200"),
        "conduct.unasked" to case("idle.unasked", "does not take it for the next answer", "takes it for the next answer"),
        "conduct.cut" to case("answers.short", "fails (A)", "takes it for a whole answer"),
        "conduct.closing" to case("closing.churn", "leaves nothing behind", "leaves descriptors behind"),
        "conduct.many" to case("closing.many-cycles", "leaves nothing behind", "leaves descriptors and threads behind"),
        "conduct.main" to case("closing.main-closed", "the program ends at once", "the program ends after a while"),
        "conduct.nested" to case("threads.nested", "all are answered", "none is answered"),
        "conduct.memory" to case("memory.download", "needs little memory", "fails (OutOfMemoryError)"),
        "conduct.told" to case("memory.whole", "the caller learns that memory ran out", "the caller waits on"),
        "conduct.lookup" to case("names.slow", "fails (A) in time", "fails (A) late", rightMs = 402.0, wrongMs = 903.0),
        "conduct.addresses" to case("names.refusing", "tries the next address", "fails (A)"),
        "conduct.certificate" to case("tls.other-host", "fails (A)", "talks to it"),
        "conduct.credentials" to case("redirects.other-host", "does not follow: 302", "follows with the credentials: 200"),
        "conduct.unread" to case("connections.after-unread", "closes the connection", "holds the connection and opens another"),
        "conduct.one-reader" to case("http2.unread-stream", "the others have their answers", "some of the others wait for it"),
        "conduct.dead-http2" to
            case("http2.half-open", "fails (A), the next one has a new connection", "fails (A), and so do the next ones"),
        "conduct.streams" to case("http2.max-streams", "lets the others wait", "some requests fail"),
        "conduct.cancelled-http2" to case(
            "http2.cancelled",
            "the caller is free at once, the stream is reset",
            "the caller is free at once, the server is not told",
        ),
        "conduct.cut-http2" to case("http2.short", "fails (A)", "takes it for a whole answer"),
        "conduct.aborted-from" to releases(
            "cancellation.waiting",
            "ktor-apache5:3.5.0" to "the caller is free at once, the connection stays open",
            "ktor-apache5:3.5.1" to "the caller is free at once, the connection is closed",
        ),
        "conduct.late-until" to releases(
            "timeouts.no-answer",
            "okhttp:5.3.0" to "fails (A) late, ends the connection",
            "okhttp:5.3.2" to "fails (A) in time, ends the connection",
        ),
        "conduct.aborted-reading-from" to releases(
            "cancellation.reading",
            "ktor-apache5:3.5.0" to "the caller is free at once, the connection stays open",
            "ktor-apache5:3.5.1" to "the caller is free at once, the connection is closed",
        ),
        "conduct.late-beside-until" to releases(
            "timeouts.beside",
            "okhttp:5.3.0" to "fails (A) late",
            "okhttp:5.3.2" to "fails (A) in time",
        ),
        "conduct.upgrade-from" to releases(
            "connections.upgrade",
            "ktor-java@default:3.3.3" to "asks for no upgrade",
            "ktor-java@default:3.5.2" to "asks for an upgrade to HTTP/2",
        ),
        "conduct.preconfigured-until" to releases(
            "connections.at-once",
            "ktor-okhttp@preconfigured:3.4.3" to "sends 5 at once",
            "ktor-okhttp@preconfigured:3.5.2" to "sends all ten at once",
        ),
        "conduct.text-until" to Case(
            forks("ktor-okhttp:3.4.3", "requests.text", "sends it", 60.0) + forks("ktor-okhttp:3.5.2", "requests.text", "sends it", 20.0),
            forks("ktor-okhttp:3.4.3", "requests.text", "sends it", 20.0) + forks("ktor-okhttp:3.5.2", "requests.text", "sends it", 20.0),
        ),
        "conduct.busy-upload" to busyUploads(),
        "conduct.dispatcher-until" to releases(
            "connections.at-once",
            "ktor-okhttp:3.4.3" to "sends 5 at once",
            "ktor-okhttp:3.5.2" to "sends all ten at once",
        ),
    )

    @Test
    fun `a client with which a situation cannot be tried has no part in the claim`() {
        val refusing = forks("fuel", "idle.unasked", "not supported: Fuel refuses")
        val verdict = verdictOn("conduct.unasked", cases.getValue("conduct.unasked").supports + refusing)
        verdict.parts.map(Part::of) shouldContainExactly listOf("okhttp", "jdk")
    }
}
