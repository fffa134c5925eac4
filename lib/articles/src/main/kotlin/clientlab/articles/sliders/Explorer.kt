package clientlab.articles.sliders

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.output.*
import clientlab.notebook.run.*
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import org.jetbrains.kotlinx.dataframe.api.*
import org.jetbrains.kotlinx.jupyter.api.DisplayResult
import org.jetbrains.kotlinx.jupyter.api.MimeTypedResultEx
import java.util.concurrent.Executors
import java.util.concurrent.Future
import java.util.concurrent.atomic.AtomicReference
import kotlin.math.roundToLong
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * Sliders for one small burst. Each move of a slider measures the burst again in a fresh JVM and shows what the server saw.
 *
 * The first burst is measured before this function returns, so an article holds its figure. Later bursts run in the background, one at a
 * time; the newest question comes next. All trials are kept under `data/raw/explore`, and [Explorer.trials] has those of this panel. Front
 * ends that know ipywidgets, such as JupyterLab, draw the sliders; others show the first figure.
 *
 * @param clients what the list offers; the first is measured first.
 * @param inFlight the ends of the slider; the first measured value is 100, or the nearest one.
 * @param delay the ends of the slider for the server's delay, at most a minute.
 */
public fun explore(
    clients: List<ClientInfo> = clients("ktor-cio@article", "ktor-cio", "retrofit", "okhttp@default"),
    inFlight: IntRange = 1..500,
    delay: ClosedRange<Duration> = 100.milliseconds..2.seconds,
): Explorer = Explorer(
    clients,
    inFlight,
    delay,
    { experiment, listener -> experiment.run(listener) },
    Kernel.notebook?.let { KernelComms(it.commManager) },
).apply { measureFirst(ProgressDisplay.current()) }

/** A panel of sliders and what it has measured; made by [explore]. Thread-safe. */
public class Explorer internal constructor(
    private val clients: List<ClientInfo>,
    private val inFlight: IntRange,
    private val delay: ClosedRange<Duration>,
    private val measure: (Experiment<Burst>, ProgressListener) -> Trials<Burst>,
    comms: Comms?,
) : Shown {
    private val measured = mutableListOf<Trials<Burst>>()
    private val worker = Executors.newSingleThreadExecutor { task -> Thread(task, "lab-explorer").apply { isDaemon = true } }
    private val wanted = AtomicReference<Experiment<Burst>?>()
    private val panel: Panel?

    @Volatile private var figure: Chart? = null

    @Volatile private var going: Future<*>? = null

    init {
        if (clients.isEmpty()) {
            throw LabException("There is no client to choose: give some, as in explore(clients(\"retrofit\", \"ktor-cio\")).")
        }
        if (inFlight.isEmpty()) throw LabException("$inFlight holds no number: give a range such as 1..500.")
        if (delay.isEmpty()) throw LabException("$delay holds no time: give a range such as 100.milliseconds..2.seconds.")
        // Checked now, so that an impossible range is refused before anything is drawn.
        listOf(inFlight.first to delay.start, inFlight.last to delay.endInclusive).forEach { (n, time) ->
            experiment(clients.first(), n, time)
        }
        panel = comms?.let { Panel(Controls(it)) }
    }

    /** All trials measured from this panel so far, in their order. */
    public val trials: Trials<Burst>
        get() = synchronized(measured) { measured.toList() }.concat()

    /** Measures the initial position of the sliders and reports progress to [listener]. */
    internal fun measureFirst(listener: ProgressListener) {
        show(measure(experiment(clients.first(), FIRST.coerceIn(inFlight), FIRST_DELAY.coerceIn(delay)), listener))
    }

    /** Waits until every question so far has been measured, or replaced by a newer one. */
    internal fun settle() {
        worker.submit {}.get()
    }

    private fun experiment(client: ClientInfo, n: Int, delay: Duration) =
        Experiment("explore", Burst(listOf(client), inFlight = listOf(n), delay = delay), forks = 1)

    /** The newest question counts. It replaces one that has not begun. */
    private fun ask(question: Experiment<Burst>) {
        wanted.set(question)
        going = worker.submit { wanted.getAndSet(null)?.let(::answer) }
    }

    private fun answer(question: Experiment<Burst>) {
        try {
            panel?.begins(question)
            show(measure(question) { panel?.says(ProgressDisplay.sentence(it)) })
        } catch (_: InterruptedException) {
            panel?.says("Stopped: move a slider to measure again.")
        } catch (failed: Exception) {
            // The panel can show one sentence; nothing else of the error would be visible.
            panel?.says(failed.message ?: failed.toString())
        } finally {
            panel?.ends()
        }
    }

    private fun show(trials: Trials<Burst>) {
        synchronized(measured) { measured += trials }
        val burst = trials.rows().first()
        val table = FrameOutput.html(trials.select(*COLUMNS.filter { it in trials.columnNames() }.toTypedArray()))
        if (burst.outcome == INVALID) {
            panel?.shows("<p>This burst does not count: ${Html.escape("${burst["reasons"]}")}</p>\n$table")
            return
        }
        val drawn = trials.inFlightChart(burst.inFlight)
        figure = drawn
        panel?.shows("${chartRenderer().render(drawn).svg}\n$table")
    }

    /** The panel for a front end that draws it, and the first figure for one that does not. */
    override fun shown(): DisplayResult {
        val still = figure?.let { chartRenderer().render(it).mimeBundle() }.orEmpty()
        val live = panel?.let { mapOf(Widget.MIME to it.all.view()) }.orEmpty()
        return MimeTypedResultEx(JsonObject(live + still))
    }

    private inner class Panel(controls: Controls) {
        private val client = controls.choice("client", clients.map { it.id })
        private val count = controls.slider("requests in flight", inFlight, FIRST.coerceIn(inFlight))
        private val seconds = controls.slider(
            "delay in s",
            seconds(delay.start)..seconds(delay.endInclusive),
            0.1,
            seconds(FIRST_DELAY.coerceIn(delay)),
        )
        private val stop = controls.button("Stop", "End the burst that is being measured")
        private val words = controls.html()
        private val result = controls.html()
        val all = controls.column(client, count, seconds, controls.row(stop, words), result)

        init {
            client.onChange { if (it == "index") askAgain() }
            count.onChange { if (it == "value") askAgain() }
            seconds.onChange { if (it == "value") askAgain() }
            stop.onEvent { if (it == "click") going?.cancel(true) }
        }

        private fun askAgain() =
            ask(experiment(clients[client.int("index")], count.int("value"), (seconds.double("value") * 1_000).roundToLong().milliseconds))

        fun begins(question: Experiment<Burst>) {
            says("Measuring ${question.treatments.single().client} …")
            stop["disabled"] = JsonPrimitive(false)
        }

        fun says(sentence: String) {
            words["value"] = JsonPrimitive(Html.escape(sentence))
        }

        fun shows(html: String) {
            says("")
            result["value"] = JsonPrimitive(html)
        }

        fun ends() {
            stop["disabled"] = JsonPrimitive(true)
        }

        private fun seconds(time: Duration) = time.inWholeMilliseconds / 1e3
    }

    private companion object {
        const val FIRST = 100
        val FIRST_DELAY = 500.milliseconds
        const val INVALID = "invalid"
        val COLUMNS = arrayOf("client", "inFlight", "delayMs", "outcome", "inFlightPeak", "durationMs", "threadsNew", "threadsBlocked")
    }
}
