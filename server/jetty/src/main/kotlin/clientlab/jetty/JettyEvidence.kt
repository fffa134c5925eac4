package clientlab.jetty

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong

/**
 * Counts the requests for a delay since the last reset; any thread may count and ask. A request is in flight from the moment when Ktor's
 * pipeline gets it, later than its arrival: a request that waits for one of Jetty's own threads is not counted.
 */
internal class JettyEvidence {
    private val arrived = AtomicLong()
    private val answered = AtomicLong()
    private val inFlight = AtomicLong()
    private val peakInFlight = AtomicLong()
    private val protocols = ConcurrentHashMap<String, AtomicLong>()

    fun arrived(protocol: String) {
        arrived.incrementAndGet()
        protocols.computeIfAbsent(protocol) { AtomicLong() }.incrementAndGet()
        val now = inFlight.incrementAndGet()
        peakInFlight.accumulateAndGet(now, ::maxOf)
    }

    fun ended(isAnswered: Boolean) {
        inFlight.decrementAndGet()
        if (isAnswered) answered.incrementAndGet()
    }

    /** Forgets the counts; requests in flight stay in flight. */
    fun reset() {
        arrived.set(0)
        answered.set(0)
        peakInFlight.set(inFlight.get())
        protocols.clear()
    }

    /** The counts as JSON, under the same names as in the delay server's evidence. */
    fun json(): String {
        val byProtocol = protocols.toSortedMap().entries.joinToString(",") { (protocol, count) -> "\"$protocol\":$count" }
        return """{"schemaVersion":1,"arrived":$arrived,"inFlight":$inFlight,"peakInFlight":$peakInFlight,"answered":$answered,""" +
            """"requestsByProtocol":{$byProtocol}}"""
    }
}
