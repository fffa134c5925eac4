package clientlab.notebook.bisect

import clientlab.*
import clientlab.audit.*
import clientlab.burst.*
import clientlab.capacity.*
import clientlab.closedloop.*
import clientlab.conduct.*
import clientlab.notebook.home.*
import clientlab.notebook.run.*
import clientlab.workloads.*
import kotlin.time.Duration.Companion.seconds

/**
 * Which release did it: the first of [over] whose answer differs from that of those before it.
 *
 * ```
 * bisect("ktor-apache5", "cancellation.reading", releases("ktor-apache5", from = "3.5.0"))
 * bisect("ktor-cio", "connectionsPerRequest") { metric("connectionsPerRequest") < 0.5 }
 * bisect("okhttp", "durationMs", javas("okhttp")) { metric("durationMs") < 1_500 }
 * ```
 *
 * It halves: both ends first, in the same rounds, then the one in the middle, and so on, so ⌈log₂ n⌉ + 1 questions. Each is an ordinary run of
 * three forks, and of three more as long as the answer does not stand; it stands when it is three forks ahead. At last the two sides of the
 * change are asked again. There is no culprit where both ends answer the same, and where the ends or the two sides differ by no more than
 * chance (Fisher's exact test, below 0.005: six forks of each, or more). A line is printed for each answer. What is here already is not
 * measured again, so a bisection that was stopped goes on where it was.
 *
 * @param client a client of the catalogue, as in `okhttp` or `ktor-cio@default`.
 * @param asked a situation of [Conduct], or a metric of a burst of 500 requests, of a closed loop, of an audit or of a capacity.
 * @param over what is looked at, in its order: [releases], [javas], [coroutines].
 * @param answer what is asked of each fork. For a situation it may be left out: the client's words are compared then.
 */
public fun bisect(
    client: String,
    asked: String,
    over: List<Candidate> = releases(client),
    answer: (Seen.() -> Any)? = null,
): Bisection = bisect(client, asked, over, answer, ProgressDisplay.current())

internal fun bisect(
    client: String,
    asked: String,
    over: List<Candidate>,
    answer: (Seen.() -> Any)?,
    listener: ProgressListener,
): Bisection {
    val workload = workloadOf(asked)
    val words: Seen.() -> Any = { fact }
    val question = answer ?: words.takeIf { asked in Conduct.stories } ?: throw LabException(
        "A metric is a number, and it needs a question: bisect(\"$client\", \"$asked\") { metric(\"$asked\") < 1 }.",
    )
    return bisect("$client-$asked", asked, over, workload, question, listener)
}

/**
 * The same with a workload of your own, as in
 * `bisect("my-question", releases("okhttp"), { Burst(it, listOf(64)) }) { metric("threadsBlocked") > 10 }`. [name] is what its runs are called.
 */
public fun bisect(name: String, over: List<Candidate>, workload: (List<ClientInfo>) -> Workload, answer: Seen.() -> Any): Bisection =
    bisect(name, name, over, workload, answer, ProgressDisplay.current())

private fun bisect(
    name: String,
    asked: String,
    over: List<Candidate>,
    workload: (List<ClientInfo>) -> Workload,
    answer: Seen.() -> Any,
    listener: ProgressListener,
): Bisection {
    refuseUnless(over.size > 1) { "A change lies between two: give two or more to look at, as in releases(\"okhttp\")." }
    val questions = Questions("bisect-" + name.lowercase().replace(Regex("[^a-z0-9]+"), "-"), workload, answer, listener, told = ::println)
    val change = search(over.size, { questions.endsDiffer }) { places -> questions.ask(places.map(over::get)) }
    change?.let { questions.assure(listOf(over[it.before], over[it.since])) }
    return Bisection(asked, questions.steps, change, over)
}

/** How [asked] is measured: its situation, or the first of these workloads that writes the metric. */
private fun workloadOf(asked: String): (List<ClientInfo>) -> Workload {
    if (asked in Conduct.stories) return { Conduct(it, listOf(asked)) }
    val writers = Metrics.writers.filterKeys { it.name == asked }.values.flatten()
    return WORKLOADS.entries.firstOrNull { it.key in writers }?.value ?: throw LabException(
        "'$asked' is no situation, and no metric of a burst, a closed loop, an audit or a capacity: " +
            didYouMean(asked, Conduct.stories.keys + Metrics.names) + "Conduct.stories lists situations, and dictionary() metrics.",
    )
}

/** By their names in a manifest, as [Metrics.writers] has them. */
private val WORKLOADS: Map<String, (List<ClientInfo>) -> Workload> = linkedMapOf(
    "burst" to { Burst(it, listOf(IN_FLIGHT), delay = 1.seconds, timeline = true) },
    "closed-loop" to { ClosedLoop(it) },
    "audit" to { Audit(it, upTo = IN_FLIGHT, hosts = listOf(1)) },
    "capacity" to { Capacity(it) },
)

private const val IN_FLIGHT = 500
