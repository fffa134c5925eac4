package clientlab.notebook.attach

import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.output.*
import clientlab.probe.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame
import java.nio.file.Files
import kotlin.io.path.deleteIfExists
import kotlin.io.path.readText

/**
 * Looks once at the running JVM [pid] of the same user: its client libraries, the limits that are reached and who owns them, its threads and
 * its connections. It loads an agent through the attach mechanism, which reads and changes nothing; its classes stay loaded. The service
 * goes on meanwhile. Fails if there is no such JVM, if it does not allow it, or if this Java has no attach mechanism.
 */
public fun attach(pid: Long): Attached {
    val file = Files.createTempFile("client-lab-attach", ".json")
    try {
        RunningJvm.look(pid, file)
        val seen = LabJson.decodeFromString<SeenService>(file.readText())
        seen.error?.let { throw LabException("The agent could not look at $pid: $it.") }
        return Attached(pid, seen, ServiceConnections.of(pid))
    } finally {
        file.deleteIfExists()
    }
}

/** The JVMs of this user that can be seen, without this one: the process id that [attach] takes, and what it runs. */
public fun jvms(): AnyFrame = RunningJvm.all().toDataFrame {
    "pid" from { it.first }
    "runs" from { it.second }
}

/** What one look at a service saw. Its text is the report of `./lab attach`; each table is a frame of its own. */
public class Attached internal constructor(
    private val pid: Long,
    private val seen: SeenService,
    private val open: List<ServiceConnection>,
) {
    private val clients = CatalogueReader.catalogue.clients
    private val owners = ThreadOwners(clients.flatMap { it.owners }.distinct())
    private val frames = clients.flatMap { it.callFrames }.distinct()

    /** Every limit that was found, those first at which something waits: what sets it, how much of it is taken, and the way to it from its owner. */
    public fun limits(): AnyFrame = sorted().toDataFrame {
        "limit" from { "${it.type}.${it.setting}" }
        "set" from { it.limit }
        "taken" from { it.used }
        "waiting" from { it.waiting }
        "owner" from { it.owner }
    }

    /** The platform threads by the library or pool that owns them, and what they do. */
    public fun threads(): AnyFrame = counted().toDataFrame {
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
    public fun findings(): List<String> = sorted().filter { it.full }.map(::sentence) + circles() + suspects()

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

    private fun sorted() = seen.limits.sortedWith(
        compareByDescending<SeenLimit> { it.full }.thenByDescending { it.waiting }.thenByDescending {
            it.used
                ?: 0
        },
    )

    private fun sentence(limit: SeenLimit): String {
        val taken =
            limit.used?.let { "${limit.type}.${limit.setting} is ${limit.limit}: $it are taken" }
                ?: "${limit.type}: all its ${limit.setting} are taken"
        val mend = MEND[limit.setting]?.let { " This line lets them through: ${it.format(limit.enough)}" }.orEmpty()
        return "$taken, and ${limit.waiting} wait. It belongs to ${limit.owner}.$mend"
    }

    /** Workers that all wait in `runBlocking` while tasks wait for a worker: nobody is left to do what they wait for. */
    private fun circles(): List<String> {
        val blocked = seen.threads
            .filter { group ->
                group.frames.any { it in BLOCKING } && owners.of(group.name) == ThreadOwners.COROUTINES
            }.sumOf { it.count }
        return seen.limits.filter { it.setting == "parallelism" && it.full && it.waiting > 0 && blocked >= it.limit }.map {
            "$blocked workers wait in runBlocking, and ${it.waiting} tasks wait for a worker of ${it.owner}, which has ${it.limit}: what they wait for cannot run."
        }
    }

    /** Where no known limit is reached: fields that are named like a limit, and hold exactly the number that is under way. */
    private fun suspects(): List<String> {
        if (sorted().any { it.full }) return emptyList()
        val underWay = (counted().filter { it.first.second.blocked }.map { it.second } + open.groupBy { it.peer }.values.map { it.size })
            .filter {
                it >=
                    FEWEST
            }.toSet()
        return seen.numbers.filter { it.value.toInt() in underWay }.sortedBy { it.path.length }.take(MOST).map {
            "${it.value} are under way, and that is the number in ${it.path.replace(" > ", " → ")}. Nothing else says that it is the limit."
        }
    }

    private fun counted(): List<Pair<Pair<String, ThreadState>, Int>> =
        seen.threads
            .groupBy({ owners.of(it.name) to stateOf(it) }, { it.count })
            .map { (key, counts) -> key to counts.sum() }
            .sortedByDescending { it.second }

    private fun stateOf(threads: SeenThreads): ThreadState {
        val stack = threads.frames.map { StackTraceElement(it.substringBeforeLast('.'), it.substringAfterLast('.'), null, -1) }
        return threadStateOf(stack.toTypedArray()) { type -> frames.any(type::startsWith) }
    }

    private companion object {
        const val MS = 1_000
        const val FEWEST = 3
        const val MOST = 5
        val BLOCKING = setOf("kotlinx.coroutines.BlockingCoroutine.joinBlocking", "kotlinx.coroutines.BuildersKt.runBlocking")

        /** The line of code that raises a limit, with `%d` for the number. */
        val MEND = mapOf(
            "maxRequests" to "dispatcher.maxRequests = %d",
            "maxRequestsPerHost" to "dispatcher.maxRequestsPerHost = %d",
            "endpoint.maxConnectionsPerRoute" to "endpoint.maxConnectionsPerRoute = %d",
            "maxConnTotal" to "connectionManager.maxTotal = %d",
            "maxConnPerRoute" to "connectionManager.defaultMaxPerRoute = %d",
            "maxConnectionsPerDestination" to "httpClient.maxConnectionsPerDestination = %d",
            "http1MaxSize" to "poolOptions.http1MaxSize = %d",
            "maxConnections" to "ConnectionProvider.builder(\"pool\").maxConnections(%d)",
        )
    }
}
