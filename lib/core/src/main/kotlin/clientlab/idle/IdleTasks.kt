package clientlab.idle

import clientlab.*
import clientlab.trial.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds

/** What a task is. */
@Serializable(with = MechanismByLabel::class)
public enum class Mechanism(override val label: String) : Labelled {
    /** A platform thread started for the task. */
    Threads("threads"),

    /** A platform thread of a pool. For waiting tasks the pool grows; for computing tasks it has one thread per processor. */
    Pool("pool"),

    /** A virtual thread started for the task. */
    Virtual("virtual"),

    /** A coroutine on `Dispatchers.Default`. */
    Coroutines("coroutines"),
}

internal object MechanismByLabel : ByLabel<Mechanism>("Mechanism", Mechanism.entries)

/** The activity of the tasks, until memory has been read: all wait at the same time, or as many as can run compute and the others queue. */
@Serializable(with = TaskStateByLabel::class)
public enum class TaskState(override val label: String) : Labelled {
    Waiting("waiting"),
    Computing("computing"),
}

internal object TaskStateByLabel : ByLabel<TaskState>("TaskState", TaskState.entries)

/** The method by which memory is read. */
@Serializable(with = MemoryInstrumentByLabel::class)
public enum class MemoryInstrument(override val label: String) : Labelled {
    /** The heap in use after full collections, and the system's account of the process. */
    Collected("collected"),

    /** Native memory tracking as well. It enlarges the resident set, so it has separate forks. */
    Nmt("nmt"),

    /** A collector that never collects (JEP 318): the growth of the heap is everything that was allocated. */
    Epsilon("epsilon"),
}

internal object MemoryInstrumentByLabel : ByLabel<MemoryInstrument>("MemoryInstrument", MemoryInstrument.entries)

/**
 * Tasks that all wait, or compute, at the same time, measured in bytes: the workload of source 003.
 *
 * The heap has a fixed size and is resident before the trial, so the resident set grows only by memory outside the heap. Under
 * [MemoryInstrument.Epsilon] it is not resident, because a heap that is never collected must be large. A fork that runs out of memory ends
 * at once, and is an invalid trial with that reason.
 *
 * @property tasks levels of the number of tasks; zero shows the effect of the reading itself.
 * @property stackDepth levels of the number of frames, each with two locals, below a waiting task.
 * @property start `warm` if one task of the same mechanism ran before the baseline; source 003 measured cold.
 * @property jvmArgs levels of further options of the trial JVM, several with a space between them; `as it comes` for none.
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
        refuseUnlessDistinct("IdleTasks", factors)
        tasks.forEach { refuseUnless(it in 0..MOST_TASKS) { "$it tasks are impossible here: ask for 0 to $MOST_TASKS." } }
        stackDepth.forEach {
            refuseUnless(it in 0..MOST_FRAMES) { "$it frames are impossible: a stack of the default size holds 0 to $MOST_FRAMES of them." }
        }
        refuseUnless(tasks.max() <= MOST_PLATFORM || mechanism.none { it == Mechanism.Threads || it == Mechanism.Pool }) {
            "${tasks.max()} platform threads could take every process number that this machine has: ask for at most $MOST_PLATFORM, " +
                "or for virtual threads and coroutines alone."
        }
        refuseUnless(heapMiB in HEAPS) { "A heap of $heapMiB MiB is impossible here: ask for ${HEAPS.first} to ${HEAPS.last}." }
        refuseUnless(TaskState.Computing !in state || tasks.max() <= MOST_COMPUTING) {
            "${tasks.max()} computing tasks would leave the probes no processor: ask for at most $MOST_COMPUTING."
        }
        val isFlat = stackDepth == listOf(0)
        refuseUnless(TaskState.Computing !in state || isFlat) { "A computing task has no frames below it: leave stackDepth at 0." }
        jvmArgs.forEach { level ->
            refuseUnless(level == AS_IT_COMES || level.split(' ').all { it.startsWith("-X") }) {
                "'$level' are no options of a JVM that could change what a task takes: write \"-Xint\", or \"$AS_IT_COMES\" for none."
            }
        }
    }

    private val factors: List<Levels>
        get() =
            listOf(Factor.MECHANISM to mechanism.map { it.label }, Factor.TASKS to tasks, Factor.STATE to state.map { it.label }) +
                listOf(Factor.STACK_DEPTH to stackDepth, Factor.INSTRUMENT to instrument.map { it.label }) +
                (Factor.START to start.map { it.label }) + varied(Factor.JVM_ARGS, jvmArgs, AS_IT_COMES)

    override val metrics: List<Metric> get() = IdleTasksMetrics.list

    override val mainMetric: Metric get() = IdleTasksMetrics.memoryGrowthBytes

    override val treatments: List<Treatment> get() = crossed(factors)

    override fun smoke(): IdleTasks = copy(tasks = tasks.filter { it <= SMOKE_TASKS }.ifEmpty { listOf(SMOKE_TASKS) }.thinned())

    override fun expected(treatment: Treatment): Duration = BASE + PER_TASK * treatment.number(Factor.TASKS).toInt()

    override fun jvmArgs(treatment: Treatment): List<String> {
        val resident = heap(heapMiB) + "-XX:+AlwaysPreTouch"
        val memory =
            when (treatment[Factor.INSTRUMENT]) {
                MemoryInstrument.Epsilon.label -> EPSILON + heap(EPSILON_MIB)
                MemoryInstrument.Nmt.label -> resident + "-XX:NativeMemoryTracking=summary"
                else -> resident
            }
        val more = treatment[Factor.JVM_ARGS]?.takeIf { it != AS_IT_COMES }?.split(' ')
        return ENDS_WITHOUT_MEMORY + memory + more.orEmpty()
    }

    override val mostConnections: Int get() = 0

    private fun heap(mib: Int) = listOf("-Xms${mib}m", "-Xmx${mib}m")

    /** At most [SMOKE_LEVELS] levels, the first and the last among them. */
    private fun List<Int>.thinned(): List<Int> =
        if (size <= SMOKE_LEVELS) this else (0 until SMOKE_LEVELS).map { this[it * (size - 1) / (SMOKE_LEVELS - 1)] }

    public companion object {
        /** The level of [jvmArgs] without options of its own. */
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

        /** The usual collector of trial JVMs is switched off first, because only one is allowed. */
        private val EPSILON = listOf("-XX:-UseG1GC", "-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC")
        private val BASE = 300.milliseconds
        private val PER_TASK = 300.microseconds
    }
}

internal object IdleTasksMetrics : MetricList({
    listOf(trialMs, allocatedBytes, rssBytes, rssBaselineBytes)
}) {
    val tasksBegun by count("tasks that had begun when memory was read")
    val tasksEnded by count("tasks that had ended when memory was read")
    val startMs by ms("from the first task started until all that can run at once have begun")
    val collections by count("full collections until the heap in use had settled, at the second reading")
    val memoryGrowthBytes by
        bytes(
            "growth of the heap in use after full collections and of the resident set; the heap is resident from the start, " +
                "so no byte counts twice",
        )
    val heapGrowthBytes by bytes("growth of the heap in use after full collections")
    val uncollectedGrowthBytes by bytes("growth of the heap in use as it stands, with no collection since the first task")
    val residentGrowthBytes by bytes("growth of the resident set: what is not heap, because the heap is resident from the start")
    val pssGrowthBytes by bytes("growth of the proportional set: pages shared with other processes count in part")
    val reservedGrowthBytes by bytes("growth of the address space")
    val nonHeapGrowthBytes by bytes("growth of the JVM's own pools: classes and compiled code")
    val classesGrowth by count("classes loaded since the baseline")
    val osThreadsGrowth by count("threads of the process that were not there at the baseline, as the system counts them")
    val heapBytes by bytes("heap in use after full collections, while the tasks wait")
    val heapBaselineBytes by bytes("heap in use after full collections, before the first task")
    val nmtGrowthBytes by bytes("growth of all that the JVM committed, by its native memory tracking")
    val nmtThreadGrowthBytes by bytes("of nmtGrowthBytes, structures of threads, without stacks")
    val nmtStackGrowthBytes by bytes("of nmtGrowthBytes, stacks of threads, as far as they are resident")
    val nmtStackReservedGrowthBytes by bytes("growth of what is reserved for stacks of threads")
    val nmtHeapGrowthBytes by bytes("of nmtGrowthBytes, the Java heap")
    val nmtClassGrowthBytes by bytes("of nmtGrowthBytes, classes, their metaspace and compiled code")
    val nmtOtherGrowthBytes by bytes("of nmtGrowthBytes, all the rest: collector, monitors, compilers, the tracking itself")
}
