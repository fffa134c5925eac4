package clientlab.server

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/**
 * The server under clients that come and go for long: nothing grows, and every request is counted.
 *
 * `lab test --long` does so for three minutes and `lab test --long --soak` for thirty (the system property `lab.soakMinutes`).
 */
class SoakTest {
    @Test
    @Timeout(60)
    fun `two hundred clients that come and go are counted to the request`() {
        ServerChild().use { server ->
            Coming(server, inFlight = 200).use { coming ->
                coming.forSeconds(2) {}
                coming.atRest()
            }
        }
    }

    @Test
    @Tag("long")
    @Timeout(60, unit = TimeUnit.MINUTES)
    fun `five thousand in flight for long leave memory, descriptors and timers as they were, and are counted to the request`() {
        assumeTrue(Files.exists(Path.of("/proc/self/fd")), "this system does not tell a process's memory and descriptors in /proc")
        val seconds = System.getProperty("lab.soakMinutes", "3").toDouble() * 60
        // With the heap resident from the start, resident memory grows by what is not heap; of the heap the live objects are counted.
        ServerChild("-XX:+AlwaysPreTouch").use { server ->
            val looks = ArrayList<Look>()
            val lives = ArrayList<CompletableFuture<Live>>()
            Coming(server, IN_FLIGHT).use { coming ->
                coming.forSeconds(seconds.toLong()) { done ->
                    // The first third is for compilers and pools.
                    if (done * LOOKS >= looks.size) looks += Look(server.resident(), server.descriptors())
                    // Beside the load, which must go on: whoever waited for a look would have nobody in flight in the end.
                    if (done >= LIVE_AT.getOrElse(lives.size) { 2.0 }) lives += CompletableFuture.supplyAsync { Live.of(server.pid) }
                }
                coming.atRest()
            }
            val (before, after) = lives.map { it.join() }.chunked(LIVE_AT.size / 2).map { it.most() }
            val (middle, last) = looks.drop(looks.size / 3).let { it.take(it.size / 2) to it.drop(it.size / 2) }
            println(
                "Of the middle third and of the last: ${middle.middle()}, ${last.middle()}; live then and near the end: $before, $after",
            )
            looks.size shouldBeGreaterThan 20
            flat("resident memory", middle.middle().residentKiB, last.middle().residentKiB)
            flat("live heap", before.bytes, after.bytes)
            // One for each in flight and no more; a look at a moment when the machine was taken away sees fewer.
            val most = (IN_FLIGHT * 1.05).toLong()
            withClue("descriptors: $middle, then $last") { last.middle().descriptors shouldBeLessThan most }
            withClue("timers: ${before.timers}, then ${after.timers}") { after.timers shouldBeLessThan most }
        }
    }

    private fun flat(what: String, before: Long, after: Long) {
        withClue("$what: $before, then $after") { after.toDouble() / before shouldBe (1.0 plusOrMinus 0.05) }
    }

    private data class Look(val residentKiB: Long, val descriptors: Long)

    private fun List<Look>.middle() = Look(map { it.residentKiB }.sorted()[size / 2], map { it.descriptors }.sorted()[size / 2])

    /** Of looks close together; where the machine was taken away for a moment, fewer were in flight just then. */
    private fun List<Live>.most() = Live(maxOf { it.bytes }, maxOf { it.timers })

    /** What lives in the server's heap after a collection: all bytes, and the timers that wait in its loop. */
    private data class Live(val bytes: Long, val timers: Long) {
        companion object {
            fun of(pid: Long): Live {
                val jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString()
                val lines = ProcessBuilder(
                    jcmd,
                    "$pid",
                    "GC.class_histogram",
                ).start().inputReader().readLines().map { it.trim().split(BLANKS) }
                val total = lines.single { it[0] == "Total" }
                val timers = lines.firstOrNull { it.getOrNull(3) == "io.netty.util.concurrent.ScheduledFutureTask" }
                return Live(total[2].toLong(), timers?.get(1)?.toLong() ?: 0)
            }

            private val BLANKS = Regex("\\s+")
        }
    }

    /**
     * So many requests in flight at any time. Of eight connections one goes after each answer and another comes; of fifty requests one asks
     * for a long delay and is left after a second, so that its timer must go with it.
     */
    private class Coming(private val server: ServerChild, private val inFlight: Int) : AutoCloseable {
        private val callers = Callers(server.port)
        private val leaving = ArrayDeque<Caller>()
        private var number = 0L

        fun forSeconds(seconds: Long, look: (Double) -> Unit) {
            val began = System.nanoTime()
            val lasts = seconds * 1_000_000_000.0
            repeat(inFlight) { ask(callers.open()) }
            while (true) {
                val done = (System.nanoTime() - began) / lasts
                if (done >= 1) break
                callers.poll(POLL_MILLIS) { ask(if (++number % 8 == 0L) replaced(it) else it) }
                while (leaving.isNotEmpty() && System.nanoTime() - leaving.first().askedAt > LEAVES_AFTER_NANOS) {
                    ask(replaced(leaving.removeFirst()))
                }
                look(done)
            }
        }

        private fun replaced(caller: Caller): Caller {
            callers.leave(caller)
            return callers.open()
        }

        private fun ask(caller: Caller) {
            val isLeft = ++number % 50 == 0L
            callers.ask(caller, if (isLeft) LONG_MILLIS else 500 + number % 1_000)
            if (isLeft) leaving += caller
        }

        /** Lets everybody have their answer or go, and holds the counts of both ends to each other. */
        fun atRest() {
            leaving.forEach(callers::leave)
            leaving.clear()
            while (callers.answered + callers.left < callers.sent) callers.poll(POLL_MILLIS) {}
            callers.close()
            val seen = server.evidenceWhere { it.connectionsOpen == 0 }
            withClue("$seen") {
                seen.arrived shouldBe callers.sent
                seen.answeredOk shouldBe callers.answered
                seen.answered shouldBe callers.answered
                seen.abandoned shouldBe callers.left
                seen.connectionsOpened shouldBe callers.opened
                seen.inFlight shouldBe 0
                seen.answeredEarly shouldBe 0
                seen.rejected shouldBe 0
                seen.peakInFlight shouldBeGreaterThan inFlight * 9 / 10
            }
            callers.early shouldBe 0
            println("${callers.sent} requests on ${callers.opened} connections, ${callers.left} of them left: counted to the request")
        }

        override fun close() = callers.close()
    }

    private companion object {
        const val IN_FLIGHT = 5_000
        const val LOOKS = 90

        /** When the server's heap is looked into, as shares of the time. */
        val LIVE_AT = listOf(0.40, 0.45, 0.50, 0.55, 0.60, 0.75, 0.80, 0.85, 0.90, 0.95)
        const val POLL_MILLIS = 5L
        const val LONG_MILLIS = 59_000L
        const val LEAVES_AFTER_NANOS = 1_000_000_000L
    }
}
