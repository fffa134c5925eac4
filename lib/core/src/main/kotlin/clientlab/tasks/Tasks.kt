package clientlab.tasks

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * Many short tasks, each with one or more successive calls to `GET /v1/crawl/delay/{ms}`: the workload of source 002. As in the source, all
 * tasks of a trial are submitted at once, the clock runs until the last task is done and the executor is closed, and a call is
 * `URL.openStream()`, read to its end as text.
 *
 * @property executors levels of executors by id: `virtual` (one virtual thread per task), `pool-8` (8 platform threads),
 *   `virtual-limited-8` (one virtual thread per task, and a semaphore of 8), each with any number or `processors` instead of 8,
 *   `coroutines-io` (`Dispatchers.IO`) and `coroutines-virtual` (a dispatcher of virtual threads).
 * @property delayMs levels of how long the server waits before it answers.
 * @property instrument levels of the instrument: `none`, or `jfr` to count pinned virtual threads, which has its own cost.
 * @property jvmArgs levels of options of the trial JVM, separated by spaces: `none`, or as in `-Dhttp.maxConnections=1000`.
 * @property start how old the fork is: [Start.Warm] after 2,000 tasks without a delay, or [Start.Steady], which goes on with such tasks
 *   until their series is steady, for at most [steadyWithin].
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
@SerialName("tasks")
public data class Tasks(
    val executors: List<String> = listOf("virtual", "pool-processors"),
    val tasks: List<Int> = listOf(1_000),
    val calls: List<Int> = listOf(1),
    val delayMs: List<Int> = listOf(0, 1, 2, 3, 4, 5),
    val instrument: List<String> = listOf(NONE),
    val jvmArgs: List<String> = listOf(NONE),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val start: List<Start> = listOf(Start.Warm),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val steadyWithin: Duration = SteadyBudget.usual,
) : Workload {
    init {
        executors.forEach { TaskExecutor.named(it) }
        tasks.forEach { refuseUnless(it in 1..MOST_TASKS) { "$it tasks are impossible: ask for 1 to $MOST_TASKS." } }
        calls.forEach { refuseUnless(it in 1..MOST_CALLS) { "$it calls a task are impossible: ask for 1 to $MOST_CALLS." } }
        delayMs.forEach {
            refuseUnless(it in 0..MOST_DELAY_MS) { "A delay of $it ms is impossible: the server waits 0 to $MOST_DELAY_MS ms." }
        }
        instrument.forEach { refuseUnless(it == NONE || it == JFR) { "There is no instrument '$it': use \"$NONE\" or \"$JFR\"." } }
        jvmArgs.forEach { line ->
            refuseUnless(line == NONE || line.split(' ').all { it.startsWith("-") }) {
                "'$line' is no option of a JVM: write \"$NONE\", or options as in \"-Dhttp.maxConnections=1000\"."
            }
        }
        refuseUnless(Start.Cold !in start) { "Tasks run in a warmed fork: ask for Start.Warm or Start.Steady." }
        SteadyBudget.check(steadyWithin)
        refuseUnlessDistinct("Tasks", factors)
    }

    private val factors: List<Levels>
        get() =
            listOf(Factor.EXECUTOR to executors, Factor.TASKS to tasks, Factor.CALLS to calls, Factor.DELAY_MS to delayMs) +
                listOf(Factor.INSTRUMENT to instrument, Factor.JVM_ARGS to jvmArgs) +
                varied(Factor.START, start.map { it.label }, Start.Warm.label)

    override val metrics: List<Metric> get() = TasksMetrics.list

    override val mainMetric: Metric get() = CommonMetrics.durationMs

    override val treatments: List<Treatment> get() = crossed(factors)

    /** At most [SMOKE_TASKS] tasks, with only the shortest and the longest delay, of at most [SMOKE_DELAY_MS]. */
    override fun smoke(): Tasks =
        copy(
            tasks = tasks.map { minOf(it, SMOKE_TASKS) }.distinct(),
            delayMs = listOf(delayMs.min(), delayMs.max()).map { minOf(it, SMOKE_DELAY_MS) }.distinct(),
            steadyWithin = minOf(steadyWithin, SteadyBudget.smoke),
        )

    override fun expected(treatment: Treatment): Duration {
        val tasks = treatment.number(Factor.TASKS)
        val calls = treatment.number(Factor.CALLS)
        val width = TaskExecutor.named(treatment[Factor.EXECUTOR].orEmpty()).limit?.toLong() ?: tasks
        val waves = (tasks + width - 1) / width
        val waiting = treatment.number(Factor.DELAY_MS).milliseconds * (waves * calls).toInt()
        val steady = if (Start.of(treatment) == Start.Steady) SteadyBudget.expected(steadyWithin) else Duration.ZERO
        return waiting + CALL * (tasks * calls).toInt() + WARM_UP + steady
    }

    override fun jvmArgs(treatment: Treatment): List<String> = treatment[Factor.JVM_ARGS].takeIf { it != NONE }?.split(' ').orEmpty()

    /** A task holds one connection at a time, and the client keeps a few idle ones. An executor without a limit runs all tasks at once. */
    override val mostConnections: Int get() = executors.maxOf { minOf(TaskExecutor.named(it).limit ?: Int.MAX_VALUE, tasks.max()) }

    public companion object {
        /** The level of a factor that adds nothing. */
        public const val NONE: String = "none"

        /** The level of [instrument] that records with Java Flight Recorder. */
        public const val JFR: String = "jfr"

        private const val MOST_TASKS = 1_000_000
        private const val MOST_CALLS = 100
        private const val MOST_DELAY_MS = 60_000
        private const val SMOKE_TASKS = 200
        private const val SMOKE_DELAY_MS = 20
        private val CALL = 0.3.milliseconds
        private val WARM_UP = 800.milliseconds
    }
}

internal object TasksMetrics : MetricList({
    listOf(requests, failed, durationMs, latencyP50Ms, latencyP99Ms, latencyMaxMs, inFlightPeak, connectionsOpened) +
        listOf(connectionsPerRequest, serverOvershootP99Ms, trialMs, cpuSeconds, allocatedBytes, rssPeakBytes, steady, warmUpMs) +
        cpuByKind.values
}) {
    val baseLatencyMs by ms("a call without a delay, one after another on one thread: median of a hundred")
    val executorLimit by count("the most tasks that the executor runs at once; missing where it has no limit")
    val processors by count("processors that the fork may use")
    val cpuShare by count("processor time of the client / (duration × processors)")
    val serverCpuSeconds by metric("s", "processor time of the delay server during the work")
    val serverCpuShare by count("processor time of the delay server / (duration × processors)")
    val machineShare by count("share of all processors that anything on the machine used during the work, as the system counts it")
    val connectionsPeak by count("the most connections open at once, as the server saw it")
    val pinnedEvents by count("how often a virtual thread was pinned to its carrier while it waited (JFR)")
    val pinnedMs by ms("how long virtual threads were pinned, in all (JFR)")
    val submitFailures by count("how often a virtual thread could not be handed to its scheduler (JFR)")
}
