package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.Serializable
import kotlinx.serialization.encodeToString
import kotlinx.serialization.json.Json
import java.util.ServiceLoader

/**
 * What the child JVM saw of one client.
 *
 * @property left the names of threads that stayed though the client does not declare them.
 * @property unowned the names of threads that no [ClientInfo.owners] of the client matches.
 * @property held the most platform threads that requests held at one moment.
 */
@Serializable
internal data class Seen(
    val answers: Map<Int, Int>,
    val bytes: Set<Long?>,
    val checksums: Set<Long?>,
    val protocols: Set<String?>,
    val failures: Map<String, Int>,
    val left: List<String>,
    val declaredLeft: List<String>,
    val unowned: List<String>,
    val held: Int,
)

/**
 * Opens the client that [arguments] name, asks it for a protocol, sends a burst, closes it and prints what it saw. Then it collects
 * garbage once for every line that it reads.
 */
internal fun main(arguments: Array<String>) {
    val (id, address, protocol, inFlight, path) = arguments
    val server = LabJson.decodeFromString<ServerAddress>(address)
    val conditions = Protocol.of(protocol).let { Conditions(server.url(it), inFlight.toInt(), it) }
    if (conditions.protocol.tls) {
        ServerTrust(checkNotNull(server.certificate)).also { trusted ->
            Runtime.getRuntime().addShutdownHook(Thread(trusted::close))
        }
    }
    println(Json.encodeToString(seen(id, conditions, path)))
    while (readlnOrNull() != null) {
        System.gc()
        println("collected")
    }
}

private fun seen(id: String, conditions: Conditions, path: String): Seen {
    val entry = ServiceLoader.load(ClientCatalogue::class.java).single().entries.single { it.info.id == id }
    runBlocking(Dispatchers.Default) { }
    val before = Thread.getAllStackTraces().keys
    val holding = HeldThreads(entry.info)
    val session = entry.create().open(conditions)
    // One request before the others, as in a warm trial: on a busy machine some libraries load their classes longer than an answer takes.
    runBlocking(Dispatchers.Default) { session.send(Request("/delay?delay=0&a=first")) }
    val results = holding.use { session.burst(conditions.inFlight, path) }
    val during = newThreads(before).map { it.name }
    session.close()

    val stayed = stayed(before, entry.info)
    val replies = results.mapNotNull { it.getOrNull() }
    return Seen(
        answers = replies.groupingBy { it.status }.eachCount(),
        bytes = replies.mapTo(HashSet()) { it.bytes },
        checksums = replies.mapTo(HashSet()) { it.checksum },
        protocols = replies.mapTo(HashSet()) { it.protocol },
        failures = results.mapNotNull { it.exceptionOrNull()?.toString() }.groupingBy { it }.eachCount(),
        left = stayed[false].orEmpty() + tooMany(entry.info, stayed[true].orEmpty()),
        declaredLeft = stayed[true].orEmpty(),
        unowned = during.filter { name -> entry.info.owners.none { Regex(it.thread).matches(name) } }.distinct(),
        held = holding.most,
    )
}

private fun Session.burst(inFlight: Int, path: String): List<Result<Reply>> =
    runBlocking(Dispatchers.Default) {
        List(inFlight) { async { runCatching { send(Request(path, checksum = true)) } } }.awaitAll()
    }

/** The names of threads that a closed session left, by whether [info] declares them; the others have some seconds to end. */
private fun stayed(before: Set<Thread>, info: ClientInfo): Map<Boolean, List<String>> {
    val deadline = System.nanoTime() + SETTLING_MS * 1_000_000
    newThreads(before).filterNot { info.declares(it) }.forEach { thread ->
        thread.join(((deadline - System.nanoTime()) / 1_000_000).coerceAtLeast(1))
    }
    return newThreads(before).groupBy { info.declares(it) }.mapValues { (_, threads) -> threads.map { it.name } }
}

private fun ClientInfo.declares(thread: Thread): Boolean = expectedLeftovers.any { Regex(it.thread).matches(thread.name) }

private fun tooMany(info: ClientInfo, names: List<String>): List<String> =
    info.expectedLeftovers.flatMap { leftover -> names.filter { Regex(leftover.thread).matches(it) }.drop(leftover.atMost) }

/** Live platform threads that were not there [before], without those of coroutines, of the JVM and of this harness. */
private fun newThreads(before: Set<Thread>): List<Thread> =
    (Thread.getAllStackTraces().keys - before).filterNot { NOT_THE_CLIENTS.matches(it.name) }

private val NOT_THE_CLIENTS =
    listOf(
        "DefaultDispatcher-worker-\\d+|kotlinx\\.coroutines\\.DefaultExecutor",
        "${BlockingSession.CALLER}\\d+",
        // What carries virtual threads, from JDK 21 to 25.
        "ForkJoinPool-1-(worker-\\d+|delayScheduler)|(Master|Read|Write)-?Poller.*|VirtualThread-.*",
        "Cleaner-\\d+|Common-Cleaner|Attach Listener|process reaper.*",
    ).joinToString("|").toRegex()

/** How long a thread may take to end after its session was closed. */
private const val SETTLING_MS = 5_000L
