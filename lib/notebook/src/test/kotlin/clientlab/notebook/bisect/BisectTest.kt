package clientlab.notebook.bisect

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.jars.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.time.Duration.Companion.seconds

/** Whole bisections, with real forks. */
class BisectTest(
    @param:TempDir private val data: Path,
) {
    private fun releasesOf(client: String, vararg versions: String) =
        versions.map { version -> Candidate("$client $version") { clients("$client:$version").single() } }

    @Tag("long")
    @Test
    fun `the release in which Ktor's Apache5 engine began to close the connection of a cancelled request is found`() =
        withDataIn(data) {
            val over = releasesOf("ktor-apache5", "3.5.0", "3.5.1", "3.5.2")
            val found = bisect("ktor-apache5", "cancellation.reading", over)
            found.culprit.toString() shouldBe "ktor-apache5 3.5.1"
            found.before.toString() shouldBe "ktor-apache5 3.5.0"
            found.finding shouldContain "cancellation.reading changes with ktor-apache5 3.5.1"
            found.finding shouldContain "stays open"
            found.steps().rows().map { it["candidate"] } shouldContainAll listOf("ktor-apache5 3.5.0", "ktor-apache5 3.5.2")

            // Asked again it measures nothing, because all runs are here.
            val runs = RunFolder.all("bisect-ktor-apache5-cancellation-reading").size
            bisect("ktor-apache5", "cancellation.reading", over).culprit.toString() shouldBe "ktor-apache5 3.5.1"
            RunFolder.all("bisect-ktor-apache5-cancellation-reading").size shouldBe runs
        }

    @Tag("long")
    @Test
    fun `a release beside a copy of itself has no culprit`() =
        withDataIn(data) {
            val over = twins()
            val burst = { asked: List<ClientInfo> -> Burst(asked, listOf(50), delay = 1.seconds) }
            val found = bisect("copies", over, burst) { metric("threadsBlocked") > 25 }
            found.culprit.shouldBeNull()
            found.finding shouldStartWith
                "No culprit: copies is the same at both ends, and what lies between was not asked. okhttp 5.5.1: true, in 3 of 3 forks; threadsBlocked 50"
        }

    @Tag("long")
    @Test
    fun `twenty questions to a release and to a copy of it find no culprit`() =
        withDataIn(data) {
            val over = twins()
            val conduct = SITUATIONS.map { bisect("okhttp", it, over) }
            val burst = { asked: List<ClientInfo> -> Burst(asked, listOf(50), delay = 1.seconds) }
            val numbers = NUMBERS.map { metric -> bisect("copies-$metric", over, burst) { metric(metric) < 1_200 } }
            // The digit after a point is as good as a coin. With one, a culprit is found in one of 150 bisections.
            val coin = bisect("copies-coin", over, burst) { (metric("latencyP50Ms") * 10).toInt() % 2 == 0 }
            val all = conduct + numbers + coin
            all.size shouldBe 20
            all.filter { it.culprit != null }.map { it.finding }.shouldBeEmpty()
        }

    /** OkHttp in a release, and a copy of its jar. */
    private fun twins(): List<Candidate> {
        val library = clients("okhttp").single().library
        val released = JarStore().jars(VersionLock.read().artifacts(library, "5.5.1")!!).first { "okhttp-jvm" in "$it" }
        val copy = KeptVersions.withJar(library, "5.5.1", released.copyTo(data.resolve("okhttp-jvm-copy.jar")))
        return releasesOf("okhttp", "5.5.1", copy)
    }

    @Tag("long")
    @Test
    fun `a candidate that cannot be had is said so`() =
        withDataIn(data) {
            val found = bisect("okhttp", "connections.after-200", releasesOf("okhttp", "5.5.1", "9.9.9"))
            found.culprit.shouldBeNull()
            found.finding shouldStartWith
                "connections.after-200 cannot be told of okhttp 9.9.9: no fork answers: okhttp 9.9.9 is not in the lock"
        }

    @Test
    fun `what is no situation and no metric is refused with what may be meant`() {
        val over = releasesOf("okhttp", "5.3.2", "5.5.1")
        shouldThrow<LabException> { bisect("okhttp", "cancelation.waiting", over) }.message!! shouldContain
            "did you mean 'cancellation.waiting'?"
        shouldThrow<LabException> { bisect("okhttp", "durationMs", over) }.message shouldBe
            "A metric is a number, and it needs a question: bisect(\"okhttp\", \"durationMs\") { metric(\"durationMs\") < 1 }."
        shouldThrow<LabException> { bisect("okhttp", "connections.after-200", over.take(1)) }.message shouldBe
            "A change lies between two: give two or more to look at, as in releases(\"okhttp\")."
    }

    private companion object {
        /** Quick ones, and one whose answer varies from fork to fork. */
        val SITUATIONS = (
            "connections.after-200 connections.after-404 connections.after-unread connections.says-close connections.at-once " +
                "retries.closed-get retries.closed-post retries.503 cancellation.waiting cancellation.reading answers.short answers.gzip " +
                "redirects.302-post names.spread http2.half-open"
        ).split(' ')
        val NUMBERS = listOf("durationMs", "openMs", "threadsBlocked", "connectionsOpened")
    }
}
