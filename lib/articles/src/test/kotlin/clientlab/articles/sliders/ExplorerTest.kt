package clientlab.articles.sliders

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.JsonPrimitive
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class ExplorerTest {
    private val comms = MadeComms()
    private val asked = CopyOnWriteArrayList<String>()
    private val clients = listOf("one", "two").map { ClientInfo(it, it, "a:b", "none") }

    @Test
    fun `the first burst is a hundred requests of the first client, and less where the slider ends before`() {
        explorer().trials.rows().map { it["inFlight"] } shouldContainExactly listOf(100)
        explorer(inFlight = 1..20).trials.rows().map { it["inFlight"] } shouldContainExactly listOf(20)
    }

    @Test
    fun `what a person changes is measured with all that the others say, and every trial is kept`() {
        val panel = explorer()
        slider("Int").set("value", JsonPrimitive(7))
        panel.settle()
        comms.of("_model_name", "DropdownModel").set("index", JsonPrimitive(1))
        panel.settle()
        slider("Float").set("value", JsonPrimitive(1.5))
        panel.settle()
        asked shouldContainExactly listOf("one 100 500", "one 7 500", "two 7 500", "two 7 1500")
        panel.trials.rows().map { it["inFlight"] } shouldContainExactly listOf(100, 7, 7, 7)
    }

    @Test
    fun `of two questions asked while a burst is measured the newer is answered`() {
        val begun = CountDownLatch(1)
        val goOn = CountDownLatch(1)
        val panel = explorer { experiment ->
            if (asked.size == 2) {
                begun.countDown()
                goOn.await()
            }
            made(experiment)
        }
        slider("Int").set("value", JsonPrimitive(2))
        begun.await()
        slider("Int").set("value", JsonPrimitive(3))
        slider("Int").set("value", JsonPrimitive(4))
        goOn.countDown()
        panel.settle()
        asked shouldContainExactly listOf("one 100 500", "one 2 500", "one 4 500")
    }

    @Test
    fun `the stop button ends the burst that is measured, and the next one is measured all the same`() {
        val begun = CountDownLatch(1)
        val never = CountDownLatch(1)
        val panel = explorer { experiment ->
            if (asked.size == 2) {
                begun.countDown()
                never.await()
            }
            made(experiment)
        }
        slider("Int").set("value", JsonPrimitive(2))
        begun.await()
        comms.of("description", "Stop").click()
        panel.settle()
        slider("Int").set("value", JsonPrimitive(3))
        panel.settle()
        panel.trials.rows().map { it["inFlight"] } shouldContainExactly listOf(100, 3)
    }

    @Test
    fun `what cannot be measured is said in the panel`() {
        val panel = explorer { experiment -> if (asked.size == 2) throw LabException("A run is going on already.") else made(experiment) }
        slider("Int").set("value", JsonPrimitive(2))
        panel.settle()
        shown() shouldContain "A run is going on already."
    }

    @Test
    fun `an invalid burst is shown with its reason and without a figure`() {
        val panel = explorer { made(it, Outcome.Invalid, "3 of 7 requests <failed>") }
        shown() shouldContain "3 of 7 requests &lt;failed&gt;"
        panel.shown().toString() shouldNotContain "svg"
    }

    @Test
    fun `a panel without clients or with an empty range is refused in a sentence`() {
        shouldThrow<LabException> { explore(emptyList()) }.message shouldContain "explore(clients("
        shouldThrow<LabException> { explore(clients, inFlight = 5..1) }.message shouldContain "1..500"
        shouldThrow<LabException> { explore(clients, inFlight = 0..5) }.message shouldContain "0 requests in flight is impossible"
        shouldThrow<LabException> { explore(clients, delay = 1.seconds..2.seconds * 60) }.message shouldContain "delay of 2m"
    }

    private fun slider(kind: String) = comms.of("_model_name", "${kind}SliderModel")

    private fun shown() = comms.models.filter { it.text("_model_name") == "HTMLModel" }.joinToString("\n") { it.text("value") }

    private fun explorer(
        inFlight: IntRange = 1..500,
        delay: ClosedRange<Duration> = 100.milliseconds..2.seconds,
        measure: (Experiment<Burst>) -> Trials<Burst> = ::made,
    ): Explorer {
        val told: (Experiment<Burst>) -> Unit = { experiment ->
            val what = experiment.treatments.single()
            asked += "${what.client} ${what[Factor.IN_FLIGHT]} ${what[Factor.DELAY_MS]}"
        }
        return Explorer(clients, inFlight, delay, { experiment, _ -> measure(experiment.also(told)) }, comms).apply { measureFirst {} }
    }

    private fun made(experiment: Experiment<Burst>, outcome: Outcome = Outcome.Complete, reason: String? = null): Trials<Burst> {
        val what = experiment.treatments.single()
        val n = what.number(Factor.IN_FLIGHT).toInt()
        val trial = MadeTrials.trial(
            checkNotNull(what.client),
            inFlight = n,
            outcome = outcome,
            reasons = listOfNotNull(reason),
            metrics = mapOf("durationMs" to 510.0, "inFlightPeak" to n.toDouble(), "threadsBlocked" to 0.0),
        )
        return listOf(trial.copy(treatment = what)).toTrials(MadeTrials.RUN).cast()
    }
}
