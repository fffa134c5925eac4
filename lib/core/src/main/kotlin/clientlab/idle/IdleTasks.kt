package clientlab.idle

import clientlab.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds

/** What a task is. */
@Serializable
public enum class Mechanism(public val label: String) {
    /** A platform thread started for the task. */
    @SerialName("threads")
    Threads("threads"),

    /** A platform thread of a pool. For waiting tasks the pool grows; for computing tasks it has one thread per processor. */
    @SerialName("pool")
    Pool("pool"),

    /** A virtual thread started for the task. */
    @SerialName("virtual")
    Virtual("virtual"),

    /** A coroutine on `Dispatchers.Default`. */
    @SerialName("coroutines")
    Coroutines("coroutines"),
}

/** The activity of the tasks. */
@Serializable
public enum class TaskState(public val label: String) {
    /** All wait at the same time, until memory has been read. */
    @SerialName("waiting")
    Waiting("waiting"),

    /** As many tasks as can run compute until memory has been read, and the others queue. */
    @SerialName("computing")
    Computing("computing"),
}

/** The method by which memory is read. */
@Serializable
public enum class MemoryInstrument(public val label: String) {
    /** The heap in use after full collections, and the system's account of the process. */
    @SerialName("collected")
    Collected("collected"),

    /** Native memory tracking as well. It enlarges the resident set, so it has separate forks. */
    @SerialName("nmt")
    Nmt("nmt"),

    /** A collector that never collects (JEP 318): the growth of the heap is everything that was allocated. */
    @SerialName("epsilon")
    Epsilon("epsilon"),
}

/**
 * Tasks that all wait, or compute, at the same time, measured in bytes: the workload of source 003.
 *
 * The heap has a fixed size and is resident before the trial, so the resident set grows only by memory outside the heap, and garbage does
 * not count as memory of the tasks. Under [MemoryInstrument.Epsilon] it is not resident, because a heap that is never collected must be
 * large. A fork that runs out of memory ends at once, and is an invalid trial with that reason.
 *
 * @property tasks levels of the number of tasks. Zero is a level too, and shows the effect of the reading itself.
 * @property stackDepth levels of the number of frames, each with two locals, below a waiting task.
 * @property start `warm` if one task of the same mechanism ran before the baseline; source 003 measured cold.
 * @property jvmArgs levels of further options of the trial JVM, several with a space between them; [AS_IT_COMES] for none.
 * @property heapMiB size of the heap.
 */
@Serializable
@SerialName("residents")
public data class IdleTasks(
    val tasks: List<Int> = listOf(0, 1, 2, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000),
    val mechanism: List<Mechanism> = Mechanism.entries,
    val state: List<TaskState> = listOf(TaskState.Waiting),
    val stackDepth: List<Int> = listOf(0),
    val start: List<Start> = listOf(Start.Cold),
    val instrument: List<MemoryInstrument> = listOf(MemoryInstrument.Collected),
    val jvmArgs: List<String> = listOf(AS_IT_COMES),
    val heapMiB: Int = 128,
) : Workload {
    init {
        refuseUnlessDistinct("residents", factors)
        tasks.forEach { refuseUnless(it in 0..MOST_TASKS) { "$it tasks are impossible here: ask for 0 to $MOST_TASKS." } }
        stackDepth.forEach {
            refuseUnless(it in 0..MOST_FRAMES) { "$it frames are impossible: a stack as it comes holds 0 to $MOST_FRAMES of them." }
        }
        refuseUnless(tasks.max() <= MOST_PLATFORM || mechanism.none { it == Mechanism.Threads || it == Mechanism.Pool }) {
            "${tasks.max()} platform threads could take every process number that this machine has: ask for at most $MOST_PLATFORM, " +
                "or for virtual threads and coroutines alone."
        }
        refuseUnless(heapMiB in HEAPS) { "A heap of $heapMiB MiB is impossible here: ask for ${HEAPS.first} to ${HEAPS.last}." }
        refuseUnless(TaskState.Computing !in state || tasks.max() <= MOST_COMPUTING) {
            "${tasks.max()} computing tasks would leave the probes no processor: ask for at most $MOST_COMPUTING."
        }
        refuseUnless(
            TaskState.Computing !in state || stackDepth == listOf(0),
        ) { "A computing task has no frames below it: leave stackDepth at 0." }
        jvmArgs.forEach { level ->
            refuseUnless(level == AS_IT_COMES || level.split(' ').all { it.startsWith("-X") }) {
                "'$level' are no options of a JVM that could change what a task takes: write \"-Xint\", or \"$AS_IT_COMES\" for none."
            }
        }
    }

    private val factors: List<Levels>
        get() =
            listOf(
                Factor.MECHANISM to mechanism.map { it.label },
                Factor.TASKS to tasks,
                Factor.STATE to state.map { it.label },
                Factor.STACK_DEPTH to stackDepth,
                Factor.INSTRUMENT to instrument.map { it.label },
                Factor.START to start.map { it.label },
            ) + varied(Factor.JVM_ARGS, jvmArgs, AS_IT_COMES)

    override val metrics: List<Metric> get() = IdleTasksMetrics.list

    override val mainMetric: Metric get() = IdleTasksMetrics.memoryGrowthBytes

    override val treatments: List<Treatment> get() = crossed(factors)

    override fun smoke(): IdleTasks = copy(tasks = tasks.filter { it <= SMOKE_TASKS }.ifEmpty { listOf(SMOKE_TASKS) }.thinned())

    override fun expected(treatment: Treatment): Duration = BASE + PER_TASK * treatment.number(Factor.TASKS).toInt()

    override fun jvmArgs(treatment: Treatment): List<String> =
        ENDS_WITHOUT_MEMORY +
            when (treatment[Factor.INSTRUMENT]) {
                // The usual collector of trial JVMs is switched off first, because only one is allowed.
                MemoryInstrument.Epsilon.label -> listOf("-XX:-UseG1GC", "-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC") +
                    heap(EPSILON_MIB)

                MemoryInstrument.Nmt.label -> resident() + "-XX:NativeMemoryTracking=summary"

                else -> resident()
            } +
            treatment[Factor.JVM_ARGS]
                .orEmpty()
                .takeIf { it != AS_IT_COMES && it.isNotEmpty() }
                ?.split(' ')
                .orEmpty()

    override val mostConnections: Int get() = 0

    private fun resident() = heap(heapMiB) + "-XX:+AlwaysPreTouch"

    private fun heap(mib: Int) = listOf("-Xms${mib}m", "-Xmx${mib}m")

    /** At most [SMOKE_LEVELS] levels, the first and the last among them. */
    private fun List<Int>.thinned(): List<Int> =
        if (size <= SMOKE_LEVELS) this else (0 until SMOKE_LEVELS).map { this[it * (size - 1) / (SMOKE_LEVELS - 1)] }

    public companion object {
        /** The level of `jvmArgs` without options of its own. */
        public const val AS_IT_COMES: String = "as it comes"

        private const val MOST_TASKS = 1_000_000

        /** Linux has 32,768 process and thread ids by default, and other programs need some. */
        private const val MOST_PLATFORM = 20_000
        private const val MOST_COMPUTING = 200
        private const val MOST_FRAMES = 2_000
        private const val SMOKE_TASKS = 1_000
        private const val SMOKE_LEVELS = 4
        private const val EPSILON_MIB = 2_048
        private val HEAPS = 8..4_096
        private val ENDS_WITHOUT_MEMORY = listOf("-XX:+ExitOnOutOfMemoryError", "-XX:+DisplayVMOutputToStderr")
        private val BASE = 300.milliseconds
        private val PER_TASK = 300.microseconds
    }
}
