package clientlab.articles.choose

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.frame.*

/** Whether the smallest or the largest value is the best one. */
internal enum class Best { Smallest, Largest }

/**
 * A use for a client, and the published measurement that compares clients for it.
 *
 * @property id as in `advise("many-slow-calls")`.
 * @property need what the caller wants, as in "large answers".
 * @property run the published run that was made for it.
 * @property column what is compared, as the name of a column: `kBPerCall`.
 * @property advice what to do about it.
 * @property of the treatments that are compared.
 * @property values what is compared, one value for each fork.
 */
internal class UseCase(
    val id: String,
    val need: String,
    val run: String,
    val column: String,
    val best: Best,
    val advice: String,
    val of: (TreatmentTrials) -> Boolean = { true },
    val values: (TreatmentTrials) -> List<Double>,
) {
    /** Whether values have a ratio. A client without a concern is not so many times better than one with three. */
    val hasRatio: Boolean get() = column != CONCERNS

    /** Read once: a published run does not change. */
    val ranking: Ranking by lazy { Ranking(this, published(run)) }
}

/** Every use that a published run decides. */
internal val useCases: List<UseCase> = listOf(
    UseCase(
        "many-slow-calls",
        "thousands of calls wait for slow servers, within 512 threads and 256 MiB",
        "cost-within-2026-11",
        "callsAtOnce",
        Best.Largest,
        "Take a client whose waiting call holds no thread, and raise its limits: see defaults().",
        { it[Factor.THREADS] == FEW_THREADS },
    ) { it.values("heldInFlight") },
    UseCase(
        "little-memory",
        "calls wait, and memory is short",
        "cost-within-2026-11",
        "kBPerCall",
        Best.Smallest,
        "A thread for each waiting call is dear, and it is not all: Apache's clients hold none, and need as much.",
        { it[Factor.THREADS] != FEW_THREADS },
    ) { group -> group.values("heldBytes").map { it / 1e3 } },
    UseCase(
        "many-fast-calls",
        "servers are quick, and processors are dear",
        "cost-steady-2026-11",
        "cpuMsPerCall",
        Best.Smallest,
        "Keep instances alive, because a warm call costs less than a young one. Do not wrap a client that is good enough.",
        { it.start == Start.Steady.label },
    ) { it.values("requestCpuMs") },
    UseCase(
        "high-rate",
        "as many calls a second as two processors can do, the slowest in a hundred within 20 ms",
        "capacity-2026-11b",
        "callsPerSecond",
        Best.Largest,
        "Leave room: at nine tenths of its capacity a client's latency rises already.",
    ) { it.values("capacityPerSecond") },
    UseCase(
        "large-answers",
        "large answers, such as files",
        "transfer-http-2026-11",
        "MiBPerSecond",
        Best.Largest,
        "Read an answer as a stream, so that no client has to hold it.",
        { it[Factor.OPERATION] == "download" },
    ) { it.values("throughputMiBs") },
    UseCase(
        "far-servers",
        "a server 40 ms away, over TLS",
        "wires-2026-11",
        "secondCallMs",
        Best.Smallest,
        "Take a client that keeps its connections. One that connects for each call pays two round trips more each time, or three.",
        { it[Factor.WIRE] == FAR && it[Factor.PROTOCOL] == Protocol.Https1.label },
    ) { it.values("durationAgainMs") },
    UseCase(
        "hanging-servers",
        "servers hang, and callers give up",
        "conduct-2026-11",
        CONCERNS,
        Best.Smallest,
        "Set a deadline for the whole call, and see that a cancelled call ends its connection.",
    ) { it.concerns("timeouts", "cancellation") },
    UseCase(
        "idle-connections",
        "connections lie idle between calls",
        "conduct-2026-11",
        CONCERNS,
        Best.Smallest,
        "Close idle connections before the server does, and do not repeat a POST. Ktor CIO leads because it keeps no connection.",
    ) { it.concerns("idle", "retries") },
    UseCase(
        "open-streams",
        "a thousand streams are open, such as server-sent events",
        "streams-2026-11",
        "kBPerStream",
        Best.Smallest,
        "Raise OkHttp's limits before: it opens five streams to a host. And read every stream, or cancel it.",
        { '@' !in it.client && !it.wave },
    ) { it.values("streamBytes").map { bytes -> bytes / 1e3 } },
    UseCase(
        "http2",
        "HTTP/2 between services",
        "conduct-more-2026-11",
        CONCERNS,
        Best.Smallest,
        "Ask with PING whether a connection is alive, where the client can.",
        { group -> group.concerns("http2").isNotEmpty() },
    ) { it.concerns("http2") },
)

/** In how many situations of [groups] each fork gave a concern. A client that supports none of them has no value. */
private fun TreatmentTrials.concerns(vararg groups: String): List<Double> =
    counted
        .map { trial -> trial.table("observations").filter { it["situation"].toString().substringBefore('.') in groups } }
        .filter { seen -> seen.any { !it["fact"].toString().startsWith("not supported") } }
        .map { seen -> seen.count { it["concern"].toString().isNotEmpty() }.toDouble() }

private const val CONCERNS = "concerns"
private const val FEW_THREADS = "512"
private const val FAR = "40 ms"
