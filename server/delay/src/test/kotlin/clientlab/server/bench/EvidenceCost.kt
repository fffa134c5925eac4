package clientlab.server.bench

import clientlab.server.answer.*
import clientlab.server.evidence.*
import org.openjdk.jmh.annotations.Benchmark
import org.openjdk.jmh.annotations.BenchmarkMode
import org.openjdk.jmh.annotations.Mode
import org.openjdk.jmh.annotations.OutputTimeUnit
import org.openjdk.jmh.annotations.Scope
import org.openjdk.jmh.annotations.State
import java.util.concurrent.TimeUnit

/**
 * What evidence adds to a request: its arrival, its row in the table, its place among those in flight, its answer and how late that was,
 * with the readings of the clock that are taken for it.
 *
 * A thousand are in flight all the time; an operation is the answer to the oldest of them and the arrival of another.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
open class EvidenceCost {
    private val evidence = ServerEvidence()
    private val answer = Answer(200, "delayed 1 s", delayNanos = 1)
    private val arrivedAt = LongArray(IN_FLIGHT)
    private val connections = Array(IN_FLIGHT) { evidence.connectionOpened() }
    private val rows = LongArray(IN_FLIGHT)
    private var next = 0
    private var made = 0L

    init {
        repeat(IN_FLIGHT) { arrive(it, System.nanoTime()) }
    }

    /** Everything, the clock read as often as the server reads it. */
    @Benchmark
    open fun request(): Long {
        val place = next
        answer(place, System.nanoTime())
        arrive(place, System.nanoTime())
        next = if (place + 1 == IN_FLIGHT) 0 else place + 1
        return rows[place]
    }

    /** The same with a clock that costs nothing: what counting takes alone. */
    @Benchmark
    open fun requestWithoutClock(): Long {
        val place = next
        made += STEP_NANOS
        answer(place, made)
        arrive(place, made)
        next = if (place + 1 == IN_FLIGHT) 0 else place + 1
        return rows[place]
    }

    private fun arrive(place: Int, now: Long) {
        arrivedAt[place] = now
        evidence.arrived(Protocol.HTTP_1_1, now)
        evidence.connections.arrived(connections[place], Protocol.HTTP_1_1)
        rows[place] = evidence.requests.arrived(place, place, now)
        evidence.held(now)
    }

    private fun answer(place: Int, now: Long) {
        evidence.released(now)
        evidence.sent(BODY_BYTES)
        evidence.answered(answer, arrivedAt[place], arrivedAt[place] + 1, now)
        evidence.connections.ended(connections[place])
        evidence.requests.answered(rows[place], now)
    }

    private companion object {
        const val IN_FLIGHT = 1_000
        const val BODY_BYTES = 12

        /** 10,000 requests a second. */
        const val STEP_NANOS = 100_000L
    }
}
