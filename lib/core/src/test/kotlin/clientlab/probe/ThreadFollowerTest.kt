package clientlab.probe

import clientlab.*
import clientlab.testing.*
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

class ThreadFollowerTest {
    private val threads = RealThreads()
    private val follower = ThreadFollower(interval = 1.milliseconds)

    @AfterEach
    fun letGo() {
        follower.close()
        threads.close()
    }

    @Test
    fun `the peak sees a pool of fifty threads and keeps it when they are gone`() {
        eventually { follower.cost().dumps > 3 }
        val before = follower.peak
        RealThreads().use { pool ->
            repeat(50) { pool.parked() }
            eventually({ "$before before and ${follower.peak} after" }) { follower.peak >= before + 45 }
        }
        val peak = follower.peak
        val dumps = follower.cost().dumps
        eventually { follower.cost().dumps > dumps + 3 }
        follower.peak shouldBeGreaterThanOrEqual peak
        follower.curves().getValue("live").maxOf { it[1] } shouldBe follower.peak.toDouble()
    }

    @Test
    fun `parked threads are live and not unparked, busy ones are both`() {
        repeat(30) { threads.parked() }
        eventually { threads.threads.all { parkedByTopFrame(it.stackTrace) } }
        val before = follower.cost().dumps
        eventually { follower.cost().dumps > before + 2 }
        val (live, unparked) = last()
        (live - unparked) shouldBeGreaterThan 29.0
        repeat(3) { threads.busy() }
        eventually { last().second >= 3 }
    }

    @Test
    fun `curves stay within 200 points and in order however long they are followed`() {
        eventually { follower.cost().dumps > 450 }
        follower.curves().keys shouldBe setOf("live", "unparked")
        follower.curves().values.forEach { points ->
            points.size shouldBeLessThanOrEqual 200
            points.map { it[0] }.shouldBeSorted()
        }
    }

    @Test
    fun `threads of the harness are not followed`() {
        repeat(60) { threads.parked("${ThreadOwners.HARNESS_PREFIX}$it") }
        val dumps = follower.cost().dumps
        eventually { follower.cost().dumps > dumps + 3 }
        follower.peak shouldBeLessThanOrEqual ThreadProbe.liveCount() - 61
    }

    @Test
    fun `following costs processor time, memory and time, and tells them`() {
        eventually { follower.cost().dumps > 20 && follower.cost().cpuSeconds > 0 }
        val cost = follower.cost()
        cost.allocatedBytes shouldBeGreaterThan 1000L
        (cost.dumping > Duration.ZERO) shouldBe true
    }

    @Test
    fun `a stopped follower dumps no more and its cost can still be read, a closed one has ended its thread`() {
        eventually { follower.cost().dumps > 3 }
        follower.stop()
        val thread = Thread.getAllStackTraces().keys.single { it.name == "${ThreadOwners.HARNESS_PREFIX}follower" }
        eventually { thread.state == Thread.State.TIMED_WAITING && threadStateOf(thread.stackTrace) { false } == ThreadState.Waiting }
        val dumps = follower.cost().dumps
        follower.cost().allocatedBytes shouldBeGreaterThan 0L
        follower.close()
        thread.isAlive shouldBe false
        follower.cost().dumps shouldBe dumps
        follower.close()
    }

    private fun last(): Pair<Double, Double> = follower.curves().let { it.getValue("live").last()[1] to it.getValue("unparked").last()[1] }
}
