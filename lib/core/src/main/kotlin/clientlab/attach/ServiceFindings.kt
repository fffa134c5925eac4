package clientlab.attach

import clientlab.probe.*

/**
 * What stands in the way of a service, from one look at it: [open] are its connections, [owners] tell whose its threads are, and [blocked]
 * are the numbers of threads that wait for the same.
 *
 * An owner is named only where a stack, a field or a setting shows it.
 */
public class ServiceFindings(
    private val seen: SeenService,
    private val open: List<ServiceConnection>,
    private val owners: ThreadOwners,
    private val blocked: Collection<Int>,
) {
    /** Every limit, those first that are reached and at which most waits. */
    public val limits: List<SeenLimit> = seen.limits.sortedWith(
        compareByDescending<SeenLimit> { it.full }.thenByDescending { it.waiting }.thenByDescending { it.used ?: 0 },
    )

    /** A sentence for each limit that is reached, for each circle of threads that wait for each other, and else for what may be a limit. */
    public fun sentences(): List<String> {
        val full = limits.filter { it.full }
        return full.map(::sentence) + circles() + if (full.isEmpty()) suspects() else emptyList()
    }

    private fun sentence(limit: SeenLimit): String {
        val taken =
            limit.used?.let { "${limit.type}.${limit.setting} is ${limit.limit}: $it are taken" }
                ?: "${limit.type}: all its ${limit.setting} are taken"
        val mend = MEND[limit.setting]?.let { " This line lets them through: ${it.format(limit.enough)}" }.orEmpty()
        return "$taken, and ${limit.waiting} wait. It belongs to ${limit.owner}.$mend"
    }

    /** Workers that all wait in `runBlocking` while tasks wait for a worker: nobody is left to do what they wait for. */
    private fun circles(): List<String> {
        val workers = seen.threads.filter { group ->
            group.frames.any { it in BLOCKING } && owners.of(group.name) == ThreadOwners.COROUTINES
        }
        val waiting = workers.sumOf { it.count }
        return limits.filter { it.setting == "parallelism" && it.full && it.waiting > 0 && waiting >= it.limit }.map {
            "$waiting workers wait in runBlocking, and ${it.waiting} tasks wait for a worker of ${it.owner}, which has ${it.limit}: " +
                "what they wait for cannot run."
        }
    }

    /** Fields that are named like a limit, and hold exactly the number that is under way. */
    private fun suspects(): List<String> {
        val underWay = (blocked + open.groupBy { it.peer }.values.map { it.size }).filter { it >= FEWEST }.toSet()
        return seen.numbers.filter { it.value.toInt() in underWay }.sortedBy { it.path.length }.take(MOST).map {
            "${it.value} are under way, and that is the number in ${it.path.replace(" > ", " → ")}. Nothing else says that it is the limit."
        }
    }

    private companion object {
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
