package clientlab.articles.workshop

import clientlab.notebook.frame.*
import clientlab.notebook.made.*
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class VirtualThreadsTest {
    private fun crowds(vararg peaks: Pair<String, Int>): Trials<*> = MadeTasks.frame(
        peaks.map { (executor, peak) ->
            MadeTasks.trial(executor, 0, 300.0, 200, delayMs = 20, metrics = mapOf("inFlightPeak" to peak.toDouble()))
        },
    )

    private val three = crowds("virtual" to 190, "pool-8" to 8, "virtual-limited-8" to 8)

    private fun check(most: String?, held: Int?, trials: Trials<*> = three) = checkInFlight(
        trials,
        most,
        limited = "virtual-limited-8",
        held,
    )

    @Test
    fun `who has no limit has the most in flight, and virtual threads behind one have no more than it`() {
        check("virtual", 8).standing shouldBe Standing.Holds
    }

    @Test
    fun `the kind of a thread is not what limits it`() {
        wrong(check("pool-8", 8), "it lets 8 in at a time, whatever its threads are")
        wrong(check("virtual-limited-8", 8), "it lets 8 in at a time")
        wrong(check("virtual", 200), "only 8 of them pass its semaphore")
        wrong(check("virtual", 2), "the server's word is inFlightPeak")
    }

    @Test
    fun `without a prediction, or with an executor that is not there, nothing is judged`() {
        check(null, 8).sentence shouldContain "most is still null"
        check("virtual", null).sentence shouldContain "held is still null"
        check("threads", 8).standing shouldBe Standing.Missing
    }

    @Test
    fun `more in flight than a limit cannot be, and is no learner's fault`() {
        wrong(
            check("virtual", 8, crowds("virtual" to 190, "pool-8" to 9, "virtual-limited-8" to 8)),
            "pool-8 had more in flight than its limit",
        )
    }

    @Test
    fun `a pool as large as the tasks lets all of them in, and a smaller one makes waves`() {
        checkPool(crowds("virtual" to 190, "pool-200" to 180), 200).standing shouldBe Standing.Holds
        checkPool(crowds("virtual" to 190, "pool-300" to 180), 300).standing shouldBe Standing.Holds
        wrong(checkPool(crowds("virtual" to 190, "pool-64" to 64), 64), "the rest queue: 4 waves")
        checkPool(crowds("virtual" to 190, "pool-8" to 8), null).standing shouldBe Standing.Missing
        checkPool(crowds("virtual" to 190, "pool-8" to 8), 200).sentence shouldContain "no trials of pool-200"
    }

    private fun kinds(blocked: Int, virtual: Int): Trials<*> = MadeTrials.frame(
        MadeTrials.trial(
            "retrofit-virtual",
            metrics = mapOf("threadsBlocked" to blocked.toDouble(), "virtualThreads" to virtual.toDouble()),
        ),
    )

    @Test
    fun `a hundred virtual threads wait, and no platform thread`() {
        checkThreadKinds(kinds(0, 100), "retrofit-virtual", 0, 100).standing shouldBe Standing.Holds
        checkThreadKinds(kinds(0, 100), "retrofit-virtual", 0, null).standing shouldBe Standing.Missing
        wrong(checkThreadKinds(kinds(0, 100), "retrofit-virtual", 100, 100), "lets go of its carrier")
        wrong(checkThreadKinds(kinds(0, 100), "retrofit-virtual", 2, 100), "holds no platform thread and not 2")
        wrong(checkThreadKinds(kinds(0, 100), "retrofit-virtual", 0, 1), "its code blocks, so each call has one")
        wrong(checkThreadKinds(kinds(100, 0), "retrofit-virtual", 0, 100), "holds 100 platform threads and not 0")
    }
}
