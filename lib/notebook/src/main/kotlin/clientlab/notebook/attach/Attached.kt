package clientlab.notebook.attach

import clientlab.*
import clientlab.attach.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.fork.*
import clientlab.notebook.output.*
import clientlab.probe.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

/**
 * Looks once at the running JVM [pid] of the same user: its client libraries, the limits that are reached and who owns them, its threads and
 * its connections. It loads an agent through the attach mechanism, which reads and changes nothing; its classes stay loaded. The service
 * goes on meanwhile. Fails if there is no such JVM, if it does not allow it, or if this Java has no attach mechanism.
 */
public fun attach(pid: Long): Attached {
    refuseUnless(pid != ProcessHandle.current().pid()) {
        "$pid is this process itself: give that of a service. These JVMs can be seen: ${running().others()}."
    }
    return Attached(pid, running().look(pid), ServiceConnections.of(pid))
}

/**
 * Looks at the running JVM [pid] again and again, for so long: once at all that it holds, and then, [every] so often, at the limits that were
 * found there, at its threads and connections. Where it has connections with a new peer, it looks at all once more. Below the cell a chart
 * follows; ■ ends it and keeps what was seen.
 */
public fun watch(pid: Long, length: Duration = 30.seconds, every: Duration = 2.seconds): Watched {
    val live = LiveChart()
    val moments = mutableListOf<Moment>()
    try {
        looks(pid, every).take((length / every).toInt() + 1).forEach {
            moments += it
            live.show { Watched(pid, moments).chart() }
        }
    } catch (e: InterruptedException) {
        // What was seen until then is kept.
        if (moments.isEmpty()) throw e
    }
    return Watched(pid, moments)
}

/** The looks of [watch], each made when it is asked for and due, without an end. */
internal fun looks(pid: Long, every: Duration): Sequence<Moment> {
    refuseUnless(
        every >= LEAST,
    ) { "A service is looked at every $LEAST at most, so that looking does not load it: give every = 2.seconds." }
    return sequence {
        val first = attach(pid)
        val began = TimeSource.Monotonic.markNow()
        val peers = first.open.mapTo(HashSet()) { it.peer }
        yield(Moment(0.0, first.seen, first.open))
        for (number in 1..Int.MAX_VALUE) {
            Thread.sleep((every * number - began.elapsedNow()).inWholeMilliseconds.coerceAtLeast(0))
            val open = ServiceConnections.of(pid)
            val isKnown = !peers.addAll(open.map { it.peer })
            yield(Moment(began.elapsedNow().toDouble(DurationUnit.SECONDS), running().look(pid, again = isKnown), open))
        }
    }
}

private val LEAST = 500.milliseconds

/** The JVMs of this user that can be seen, without this one: the process id that [attach] takes, and what it runs. */
public fun jvms(): AnyFrame = running().all().toDataFrame {
    "pid" from { it.first }
    "runs" from { it.second }
}

private fun running() = RunningJvm(builtJar("The agent", "lib/agent/target/agent.jar"))

/** What one look at a service saw. Its text is the report of `./lab attach`; each table is a frame of its own. */
public class Attached internal constructor(
    private val pid: Long,
    internal val seen: SeenService,
    internal val open: List<ServiceConnection>,
) {
    private val clients = CatalogueReader.catalogue.clients
    private val owners = ThreadOwners(clients.flatMap { it.owners }.distinct())
    private val frames = clients.flatMap { it.callFrames }.distinct()
    private val counted = seen.threads
        .groupBy({ (if (it.virtual) VIRTUAL else owners.of(it.name)) to stateOf(it) }, { it.count })
        .map { (key, counts) -> key to counts.sum() }
        .sortedByDescending { it.second }
    private val found = ServiceFindings(seen, open, owners, counted.filter { it.first.second.blocked }.map { it.second })

    /** Every limit that was found, those first at which something waits: what sets it, how much of it is taken, and the way to it from its owner. */
    public fun limits(): AnyFrame = found.limits.toDataFrame {
        "limit" from { "${it.type}.${it.setting}" }
        "set" from { it.limit }
        "taken" from { it.used }
        "waiting" from { it.waiting }
        "owner" from { it.owner }
    }

    /** The platform threads by the library or pool that owns them, the virtual ones together, and what they do. */
    public fun threads(): AnyFrame = counted.toDataFrame {
        "owner" from { it.first.first }
        "state" from { it.first.second.label }
        "threads" from { it.second }
    }

    /** The outgoing connections by peer and state; `idleMs` is the longest time for which nothing came or went, where the system tells. */
    public fun connections(): AnyFrame = open.groupBy { it.peer to it.state }.entries.sortedByDescending { it.value.size }.toDataFrame {
        "peer" from { it.key.first }
        "state" from { it.key.second }
        "connections" from { it.value.size }
        "idleMs" from { entry -> entry.value.mapNotNull { it.idleMs }.maxOrNull() }
    }

    /** The client libraries that are loaded, with their versions. */
    public fun libraries(): AnyFrame = seen.libraries.toDataFrame {
        "library" from { it.name }
        "version" from { it.version }
    }

    /** What stands in the way: a sentence for each limit that is reached, and for each circle of threads that wait for each other. */
    public fun findings(): List<String> = found.sentences()

    override fun toString(): String {
        val head =
            "${seen.command} ($pid), Java ${seen.java}, up ${seen.uptimeMs / MS} s. Looked at %,d objects in ${seen.tookMs} ms.".format(
                seen.objects,
            ) +
                if (seen.whole) "" else " There are more, which were not looked at."
        val said = findings().ifEmpty { listOf("No limit is reached that the agent knows.") }
        val tables = listOf("Libraries" to libraries(), "Threads" to threads(), "Connections" to connections(), "Limits" to limits())
        return (
            listOf(head) + said +
                tables.filter { it.second.rowsCount() > 0 }.map { (name, table) -> "$name\n${FrameOutput.plain(table)}" }
        ).joinToString("\n\n")
    }

    private fun stateOf(threads: SeenThreads): ThreadState {
        val stack = threads.frames.map { StackTraceElement(it.substringBeforeLast('.'), it.substringAfterLast('.'), null, -1) }
        return threadStateOf(stack.toTypedArray()) { type -> frames.any(type::startsWith) }
    }

    private companion object {
        const val VIRTUAL = "virtual threads"
        const val MS = 1_000
    }
}
