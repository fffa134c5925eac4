package clientlab.storm

import clientlab.*
import clientlab.testing.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class StormTest {
    private val storm = Storm(listOf(info("mine")))

    @Test
    fun `a policy is named by what it does`() {
        storm.treatments.map { it[Factor.RETRIES] } shouldBe listOf(
            "none",
            "3 at once",
            "3 after 100 ms, times 2, jitter",
            "3 after 100 ms, times 2, jitter, budget 0.1",
        )
        Retries(2, 1.seconds).label shouldBe "2 after 1000 ms"
        Retries(2, 50.milliseconds, factor = 1.5).label shouldBe "2 after 50 ms, times 1.5"
    }

    @Test
    fun `pauses grow by their factor, and jitter draws below them`() {
        val plain = Retries(3, 100.milliseconds, factor = 2.0)
        (0..2).map { plain.pauseBefore(it) { 0.5 } } shouldBe listOf(100, 200, 400).map { it.milliseconds }
        val share = Schedule.shares(1)
        val drawn = List(1_000) { plain.copy(jitter = true).pauseBefore(1, share) }
        drawn.all { it in Duration.ZERO..200.milliseconds }.shouldBeTrue()
        (drawn.fold(Duration.ZERO, Duration::plus) / drawn.size in 90.milliseconds..110.milliseconds).shouldBeTrue()
    }

    @Test
    fun `requests are planned at the usual rate, at that of the surge, and at the usual one again`() {
        val seconds = storm.plan.groupBy { it / 1_000_000_000 }.mapValues { it.value.size }
        seconds.values.toList() shouldBe List(5) { 50 } + List(5) { 200 } + List(15) { 50 }
    }

    @Test
    fun `goodput is counted by when answers came, and recovery is when it stays as good as before`() {
        val short = storm.copy(service = 2.milliseconds, before = 2.seconds, during = 2.seconds, after = 4.seconds)
        val every = 4_000_000L
        val usual = (0 until 500).map { it * every }
        // After the surge nothing comes for a second and a half, then all.
        val later = (0 until 625).map { 5_500_000_000 + it * every }
        val goodput = Goodput(short, (usual + later + -1L).toLongArray())
        listOf(goodput.before, goodput.during, goodput.after) shouldBe listOf(250.0, 0.0, 156.25)
        goodput.recovery shouldBe 1.5.seconds
        Goodput(short, usual.toLongArray()).recovery shouldBe null
        // What gets bad again has not recovered before.
        Goodput(short, (usual + later.dropLast(50)).toLongArray()).recovery shouldBe null
    }

    @Test
    fun `a budget pays for one further attempt in so many requests, and saves ten`() {
        val budget = Retries.budgeted(budget = 0.25).Budget()
        List(8) { budget.earn() }
        List(3) { budget.pay() } shouldBe listOf(true, true, false)
        List(1_000) { budget.earn() }
        List(11) { budget.pay() }.count { it } shouldBe 10
        List(5) { Retries.immediate().Budget().pay() }.all { it }.shouldBeTrue()
    }

    @Test
    fun `an ideal client's storm ends without retries and with a budget for them, and does not else`() {
        Goodput(storm, simulated(storm, Retries.none, 1)).recovery?.let { it in 8.seconds..11.seconds } shouldBe true
        Goodput(storm, simulated(storm, Retries.budgeted(), 1)).recovery?.let { it in 8.seconds..13.seconds } shouldBe true
        listOf(Retries.immediate(), Retries.exponential()).forEach { Goodput(storm, simulated(storm, it, 1)).recovery shouldBe null }
    }

    @Test
    fun `what cannot be is refused in a sentence`() {
        mapOf(
            "A storm needs a client" to { Storm(emptyList()) },
            "A usual rate of 1.0 is impossible" to { storm.copy(usual = 1.0) },
            "A surge of 0.2 is impossible" to { storm.copy(surge = 0.2) },
            "A time-out of 1ms leaves no time for an answer" to { storm.copy(timeout = 1.milliseconds) },
            "A phase of 0s is impossible" to { storm.copy(after = Duration.ZERO) },
            "A budget of 0.0 is impossible" to { Retries.budgeted(budget = 0.0) },
            "11 further attempts are impossible" to { Retries(11) },
            "The level none of retries stands in Storm more than once" to { storm.copy(retries = listOf(Retries.none, Retries())) },
        ).forEach { (sentence, wrong) -> shouldThrow<LabException> { wrong() }.message.orEmpty() shouldStartWith sentence }
    }
}
