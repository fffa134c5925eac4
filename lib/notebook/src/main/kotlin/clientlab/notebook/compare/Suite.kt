package clientlab.notebook.compare

import clientlab.*
import clientlab.burst.*
import clientlab.capacity.*
import clientlab.conduct.*
import clientlab.openloop.*
import clientlab.resourcelimits.*
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * A number that two clients are compared by.
 *
 * @property what it is, in words, with its unit.
 * @property times what a value of [metric] is multiplied by.
 * @property less whether less of it is better.
 */
internal class Measure(val what: String, val metric: String, val times: Double = 1.0, val less: Boolean = true)

/**
 * The fixed suite, a run each. [Conduct] is observed instead of measured.
 *
 * @property label as in `only = listOf("threads")`.
 * @property duet whether both clients are measured at the same time.
 */
internal enum class Suite(
    val label: String,
    val workload: (List<ClientInfo>) -> Workload,
    vararg val measures: Measure,
    val duet: Boolean = false,
) {
    Threads(
        "threads",
        { Burst(it, listOf(CALLS), delay = 1.seconds) },
        Measure("new platform threads while $CALLS calls wait", "threadsNew"),
        Measure("ms until $CALLS calls of a second each are answered", "durationMs"),
    ),
    Memory(
        "memory",
        { ResourceLimits(it, threads = listOf(ResourceLimits.UNLIMITED)) },
        Measure("kB for each waiting call", "heldBytes", times = 1e-3),
    ),
    Cost(
        "cost",
        // At a planned rate and on a processor of their own, because beside the server and the generator costs scatter by a tenth. At this rate
        // most forks are not steady within two minutes, so both sides warm up for the same time. Both at once, because the machine's pace
        // changes within a minute: one after the other, the ratio of a pair scatters twice as much.
        { OpenLoop(it, listOf(RATE), seconds = 15, delay = 1.milliseconds, warmUp = WARM_UP_SECONDS.seconds, processors = listOf(1)) },
        Measure("µs of processor time for each call, $EACH", "requestCpuMs", times = 1e3),
        Measure("kB allocated for each call, $EACH", "requestAllocatedBytes", times = 1e-3),
        duet = true,
    ),
    Capacity(
        "capacity",
        { Capacity(it, processors = listOf(1)) },
        Measure("calls a second on one processor, 99 % within 20 ms", "capacityPerSecond", less = false),
    ),
    Conduct("conduct", { Conduct(it) }),
    ;

    companion object {
        /** Those that are called [labels], in the order of the suite. Fails for an unknown one. */
        fun of(labels: List<String>): List<Suite> {
            val all = entries.map { it.label }
            labels.firstOrNull { it !in all }?.let { throw LabException("The suite has no '$it': it has ${all.joinToString()}.") }
            return entries.filter { labels.isEmpty() || it.label in labels }
        }
    }
}

private const val CALLS = 500
private const val RATE = 500
private const val WARM_UP_SECONDS = 40
private const val EACH = "$RATE a second to both at once, after a warm-up of $WARM_UP_SECONDS s"
