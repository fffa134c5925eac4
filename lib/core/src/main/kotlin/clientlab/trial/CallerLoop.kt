package clientlab.trial

import clientlab.client.*
import clientlab.probe.*
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLongArray
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration

/**
 * The results of planned requests by their number; times are in nanoseconds since the load began, or -1.
 *
 * @property fired when the generator's thread passed a request on; [sent] when the client received it; [done] when it was answered.
 * @property generatorCpuSeconds processor time of the generator's thread, which is not the client's.
 */
internal class CallerResult(
    val planned: LongArray,
    val fired: LongArray,
    val sent: LongArray,
    val done: LongArray,
    val errors: Map<String, Int>,
    val example: String?,
    val generatorCpuSeconds: Double,
) {
    val answered: Int get() = done.count { it >= 0 }
    val neverSent: Int get() = fired.count { it < 0 }
}

/**
 * Sends requests through [session] at the times of [plan], from one thread that does nothing else and has a high priority. It sleeps until
 * [spinNanos] before a request is due and then spins, because a sleep ends as late as the system's timers are. The requests themselves are
 * coroutines on a second thread.
 *
 * @param underWay the most requests of an open loop in progress at once. Further ones wait, and their wait counts.
 * @param recorder is told how long after its planned time each answer came.
 */
internal class CallerLoop(
    private val session: Session,
    private val plan: LongArray,
    private val patience: Duration,
    private val spinNanos: Long,
    private val underWay: Int = MOST_UNDER_WAY,
    private val recorder: SeriesRecorder? = null,
    private val path: (Int) -> String,
) {
    private val fired = LongArray(plan.size) { -1 }
    private val sent = AtomicLongArray(fired)
    private val done = AtomicLongArray(fired)
    private val ended = AtomicInteger()
    private val failures = Failures()
    private var began = 0L

    /** Sends each request at its time, whether or not earlier ones have ended; beyond [underWay] requests it waits until one ends. */
    fun open(): CallerResult =
        load { scope ->
            val places = Semaphore(underWay)
            for (number in plan.indices) {
                awaitNanos(plan[number])
                fired[number] = now()
                scope.launch { places.withPermit { send(number) } }
            }
        }

    /** Sends by [callers] in turn: if a caller still waits for an answer, its next request is never sent. */
    fun closed(callers: Int): CallerResult =
        load { scope ->
            val busy = Array(callers) { AtomicInteger() }
            for (number in plan.indices) {
                awaitNanos(plan[number])
                val caller = busy[number % callers]
                if (!caller.compareAndSet(0, 1)) {
                    ended.incrementAndGet()
                    continue
                }
                fired[number] = now()
                scope.launch {
                    send(number)
                    caller.set(0)
                }
            }
        }

    private fun load(generate: (CoroutineScope) -> Unit): CallerResult {
        val callers = Executors.newSingleThreadExecutor { Thread(it, ThreadKind.CALLERS).apply { isDaemon = true } }
        val scope = CoroutineScope(SupervisorJob() + callers.asCoroutineDispatcher())
        // Start this thread first: the generator's children inherit its priority.
        callers.submit {}.get()
        val generatorCpuSeconds =
            PriorityThread.run {
                val before = ProcessProbe.currentThread().cpuSeconds
                began = System.nanoTime()
                generate(scope)
                ProcessProbe.currentThread().cpuSeconds - before
            }
        val until = plan.last() + patience.inWholeNanoseconds
        while (ended.get() < plan.size && now() < until) Thread.sleep(POLL_MS)
        val late = plan.size - ended.get()
        val errors = failures.counts + if (late > 0) mapOf("no answer within $patience" to late) else emptyMap()
        val result = CallerResult(plan, fired.copyOf(), copy(sent), copy(done), errors, failures.example, generatorCpuSeconds)
        scope.cancel()
        callers.shutdown()
        return result
    }

    private suspend fun send(number: Int) {
        sent.set(number, now())
        if (failures.wentWell { session.send(Request(path(number))).failure() }) {
            val at = now()
            done.set(number, at)
            recorder?.answered(at - plan[number])
        }
        ended.incrementAndGet()
    }

    private fun awaitNanos(due: Long) {
        while (true) {
            val left = due - now()
            if (left <= 0) return
            if (left > spinNanos) LockSupport.parkNanos(left - spinNanos) else Thread.onSpinWait()
        }
    }

    private fun now() = System.nanoTime() - began

    private fun copy(array: AtomicLongArray) = LongArray(array.length(), array::get)

    companion object {
        const val MOST_UNDER_WAY: Int = 2_000
    }
}

private const val POLL_MS = 5L
