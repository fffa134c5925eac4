package clientlab.junit

import clientlab.*
import clientlab.attach.*
import clientlab.child.*
import clientlab.client.*
import clientlab.conduct.*
import clientlab.probe.*
import java.net.URI
import kotlin.time.Duration.Companion.milliseconds

/**
 * A delay server on a free port, and assertions about a client that calls it. The server is one for all tests of a JVM, so the assertions of
 * tests that run at once wait for each other.
 */
public class Lab internal constructor(private val programs: Programs) {
    private val server = programs.startServer()
    private val probe = ServerProbe(server)
    private val threads = ThreadProbe(ThreadOwners(emptyList())) { false }
    private val owners = ThreadOwners(emptyList())
    private var text = ""
    private var afterMs = 0L

    /** The address of the server, which answers every path. */
    public val url: URI = server.baseUrl

    /** An address of the same server behind a network whose round trip takes [rttMs]. */
    public fun url(rttMs: Long): URI = programs.wires.through(Wire(rtt = rttMs.milliseconds), server).baseUrl

    /** From now on the server answers every path with [text], as JSON if it begins so, after [afterMs]. Each test begins with a line, at once. */
    @JvmOverloads
    public fun answer(text: String = "", afterMs: Long = 0) {
        this.text = text
        this.afterMs = afterMs
        tell(afterMs)
    }

    /** What the server has seen since the last assertion began. */
    public fun evidence(): Evidence = probe.evidence()

    /**
     * Asserts that [client] has [inFlight] calls under way at once, as the server sees it, and that all of them are answered. The server holds
     * each for [holdMs]. If the client holds fewer, the error names the limit, its owner, and the line that raises it.
     */
    @JvmOverloads
    public fun assertHolds(
        client: Client,
        inFlight: Int,
        holdMs: Long = HOLD_MS,
    ): Unit = underWay(client, inFlight, holdMs) { calls, peak ->
        if (peak <
            inFlight
        ) {
            fail("$inFlight calls were made at once, and the server saw $peak of them at a time. ${limitsAt(peak, inFlight)}")
        }
        val failures = calls.failures()
        if (failures.isNotEmpty()) {
            val first = failures.first()
            fail("All $inFlight calls were under way at once, and then ${failures.size} failed. The first: $first", first)
        }
    }

    /** Asserts that [client] has at most so many platform threads more, while [inFlight] calls of it are under way; a caller's thread counts. */
    @JvmOverloads
    public fun assertThreads(client: Client, atMost: Int, inFlight: Int = USUAL_IN_FLIGHT) {
        val before = threads.baseline()
        underWay(client, inFlight, HOLD_MS) { _, peak ->
            val new = threads.snapshot(before).newNames.filterNot { owners.of(it) in NOBODYS }
            if (new.size > atMost) {
                fail(
                    "$peak calls are under way and have ${new.size} platform threads, where at most $atMost may be: ${byKind(new)}. " +
                        "Call it from virtual threads or coroutines, or bound its pool.",
                )
            }
        }
    }

    /** Asserts that [client] leaves no threads and connections behind: it is opened, called and closed so many [times]. */
    @JvmOverloads
    public fun assertNoLeak(client: Client, times: Int = USUAL_TIMES): Unit = synchronized(probe) {
        tell(0)
        repeat(WARM_UPS) { once(client) }
        val before = threads.baseline()
        val open = probe.evidence().connectionsOpen
        repeat(times) { once(client) }
        var left = Left.none
        for (look in 1..LOOKS) {
            val names = threads.snapshot(before).newNames.filterNot { owners.of(it) in NOBODYS }
            left = Left(names, probe.evidence().connectionsOpen - open)
            if (left.atMost(times / 2)) return
            // Some clients let go of what they have only then.
            if (look == LOOKS / 2) System.gc()
            Thread.sleep(LOOK_EVERY_MS)
        }
        fail(
            "It was opened, called and closed $times times, and ${left.words()} were left. Close what it opens: its pools of threads, " +
                "and its pool of connections. What is tested is closed if it is AutoCloseable.",
        )
    }

    /**
     * Asserts that what [client] does in [situations] is no concern, as in `retries.closed-post` or `idle.closed-get`. A name without a dot is
     * a whole group. A time-out counts if it ends a call within 1.5 s, so a test sets it to 400 ms.
     */
    public fun assertConduct(client: Client, vararg situations: String): Unit = synchronized(probe) {
        val seen = observe(client, situations.asList(), text.ifEmpty { "ok" })
        val wrong = seen.filter { it.concern.isNotEmpty() || it.fact.startsWith("not supported") || it.fact.startsWith("not testable") }
        if (wrong.isNotEmpty()) {
            fail(
                wrong.joinToString(
                    "\n",
                ) { "${it.situation}: ${Conduct.stories[it.situation]} The client: ${it.fact}. ${it.concern}".trim() },
            )
        }
    }

    /** Makes so many calls at once, and has [look] at them when all that can be are under way, while the server holds them. */
    private fun underWay(client: Client, inFlight: Int, holdMs: Long, look: (CallsUnderWay, Long) -> Unit): Unit = synchronized(probe) {
        tell(0)
        once(client)
        tell(holdMs)
        probe.reset()
        try {
            client.open(Conditions(url, inFlight)).use { session ->
                CallsUnderWay(session, inFlight).use { look(it, peak(it, inFlight)) }
            }
        } finally {
            tell(afterMs)
        }
    }

    /** The most under way at once, as soon as it rises no more. */
    private fun peak(calls: CallsUnderWay, inFlight: Int): Long {
        var peak = 0L
        var still = 0
        while (peak < inFlight && still < STILL && !calls.over) {
            val seen = probe.await(inFlight, LOOK_EVERY_MS.milliseconds)
            if (seen.reached) return inFlight.toLong()
            val now = seen.peak
            still = if (now == peak && now > 0) still + 1 else 0
            peak = now
        }
        return peak
    }

    private fun once(client: Client) = client.open(Conditions(url, 1)).use { session ->
        CallsUnderWay(session, 1).use { one -> one.failures().firstOrNull()?.let { fail("A single call fails: $it", it) } }
    }

    /** What stands in the way in this JVM now, where so many were under way at the [peak]. */
    private fun limitsAt(peak: Long, inFlight: Int): String {
        val own = ProcessHandle.current().pid()
        val seen = try {
            programs.agent.look(own)
        } catch (refused: LabException) {
            return "The limit is not named: ${refused.message}"
        }
        // The tests' own programs have pools that are full too. One that is in the way has the calls that are under way, or most of the others.
        val relevant = seen.copy(limits = seen.limits.filter { it.used?.toLong() == peak || it.waiting * 2 > inFlight - peak })
        return ServiceFindings(relevant, ServiceConnections.of(own), owners, listOf(peak.toInt()))
            .sentences()
            .joinToString("\n")
            .ifEmpty { "No limit is reached that is known here." }
    }

    private fun tell(afterMs: Long) {
        val seconds = afterMs.toBigDecimal().movePointLeft(3).toPlainString()
        post(URI("http://${server.host}:${server.controlPort}/otherwise?delay=$seconds"), text)
    }

    private fun fail(sentence: String, cause: Throwable? = null): Nothing = throw AssertionError(sentence, cause)

    /** What is left of a client. */
    private class Left(private val threads: List<String>, private val connections: Long) {
        fun atMost(most: Int) = threads.size <= most && connections <= most

        fun words() = listOfNotNull(
            "${threads.size} threads (${byKind(threads)})".takeIf { threads.isNotEmpty() },
            "$connections connections".takeIf { connections > 0 },
        ).joinToString(" and ")

        companion object {
            val none = Left(emptyList(), 0)
        }
    }

    private companion object {
        const val HOLD_MS = 3_000L
        const val USUAL_IN_FLIGHT = 100
        const val USUAL_TIMES = 20
        const val WARM_UPS = 3
        const val LOOKS = 30
        const val LOOK_EVERY_MS = 100L
        const val STILL = 5
        val NOBODYS = setOf("JVM", "harness")
        val NUMBER = Regex("\\d+")

        /** How many threads have which name, whatever their numbers. */
        fun byKind(names: List<String>): String =
            names
                .groupingBy {
                    it.replace(
                        NUMBER,
                        "#",
                    )
                }.eachCount()
                .entries
                .sortedByDescending { it.value }
                .joinToString { "${it.value} × ${it.key}" }
    }
}
