package clientlab.trial

import clientlab.*
import clientlab.client.*
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicReference

/** Counts failures by their kind, and keeps the first in full. Any thread may add to it. */
internal class Failures {
    private val kinds = ConcurrentHashMap<String, Int>()
    private val first = AtomicReference<String?>()

    val counts: Map<String, Int> get() = kinds.toSortedMap()

    /** The first exception in full, or a kind where no exception came; null without a failure. */
    val example: String? get() = first.get() ?: kinds.keys.firstOrNull()

    fun add(kind: String) {
        kinds.merge(kind, 1, Int::plus)
    }

    fun add(failure: Throwable) {
        first.compareAndSet(null, failure.toString())
        add(failure.javaClass.simpleName)
    }

    /** Does [call], which says what kind of failure it had, or null. Returns whether it went well; counts its failure or its exception. */
    inline fun wentWell(call: () -> String?): Boolean {
        val kind =
            try {
                call()
            } catch (e: Exception) {
                add(e)
                return false
            }
        kind?.let(::add)
        return kind == null
    }
}

/** The kind of failure that this reply is, or null where it is none. */
internal fun Reply.failure(): String? = if (status == OK) null else "status $status"

/** The times of the requests that [took] one, ascending: the others are no number. */
internal fun ascending(took: DoubleArray): DoubleArray = took.filterNot(Double::isNaN).toDoubleArray().apply { sort() }

/** Adds what the client says of its requests, and then what the server saw of them. */
internal fun MutableMap<Metric, Double>.tellRequests(result: BurstResult, evidence: Evidence) {
    tell(CommonMetrics.requests, result.requests)
    tell(CommonMetrics.failed, result.failed)
    tell(CommonMetrics.durationMs, result.durationMs)
    tellLatencies(result.latenciesMs)
    tell(CommonMetrics.inFlightPeak, evidence.peakInFlight)
    tellConnections(evidence)
}

/** Adds how many connections the server accepted, in all and for each answered request. */
internal fun MutableMap<Metric, Double>.tellConnections(evidence: Evidence) {
    tell(CommonMetrics.connectionsOpened, evidence.connectionsOpened)
    tell(CommonMetrics.connectionsPerRequest, evidence.connectionsPerRequest)
}

/** Milliseconds from one nanosecond to another of the same request, ascending, without requests of which [to] never came and is below 0. */
internal fun msBetween(from: LongArray, to: LongArray): DoubleArray =
    DoubleArray(to.size) { if (to[it] < 0) Double.NaN else (to[it] - from[it]) / 1e6 }.let(::ascending)

private const val OK = 200
