package clientlab.jetty

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong

/**
 * Counts the requests for a delay that this server has seen since the last reset; any thread may count and ask.
 *
 * A request is in flight from when Ktor's pipeline has it until its answer has been handed to Jetty, which is later than its arrival:
 * a request that waits for one of Jetty's own threads is not seen here.
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

    /** Forgets what was counted; what is in flight stays so. */
    fun reset() {
        arrived.set(0)
        answered.set(0)
        peakInFlight.set(inFlight.get())
        protocols.clear()
    }

    /** Under the names that the delay server's evidence has for the same things. */
    fun json(): String {
        val byProtocol = protocols.toSortedMap().entries.joinToString(",") { (protocol, count) -> "\"$protocol\":$count" }
        return """{"schemaVersion":1,"arrived":$arrived,"inFlight":$inFlight,"peakInFlight":$peakInFlight,"answered":$answered,""" +
            """"requestsByProtocol":{$byProtocol}}"""
    }
}
