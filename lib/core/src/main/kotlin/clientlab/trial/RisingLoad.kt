package clientlab.trial

import clientlab.client.*
import clientlab.probe.*
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.launch
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger

/** A request that the client has given up; [kind] is the exception's name, or the status, and [example] the exception in full. */
internal class GivenUp(val number: Int, val kind: String, val example: String, val askedNanos: Long, val failedNanos: Long)

/**
 * Requests through [session] that are added to those which wait already, each in a coroutine on one thread of the harness, as in a burst.
 * Nothing waits for them; the fork ends while they are in flight.
 */
internal class RisingLoad(private val session: Session, private val path: (Int) -> String) {
    private val thread = Executors.newSingleThreadExecutor { Thread(it, "${ThreadOwners.HARNESS_PREFIX}load").apply { isDaemon = true } }
    private val scope = CoroutineScope(SupervisorJob() + thread.asCoroutineDispatcher())
    private val failures = ConcurrentLinkedQueue<GivenUp>()
    private val answers = AtomicInteger()
    private var sent = 0

    val answered: Int get() = answers.get()
    val ended: Int get() = answered + failures.size

    /** The failed requests so far, in order. */
    val givenUp: List<GivenUp> get() = failures.toList()

    /** Sends more requests until there are [load] in all. */
    fun raise(load: Int) {
        for (number in sent until load) scope.launch { send(number) }
        sent = load
    }

    private suspend fun send(number: Int) {
        val asked = System.nanoTime()
        val (kind, example) = try {
            val status = session.send(Request(path(number))).status
            if (status == OK) {
                answers.incrementAndGet()
                return
            }
            "status $status" to "status $status"
        } catch (e: Throwable) {
            // A cancellation is the client's own time-out, because nothing here cancels. An error may say that there is no memory for a
            // thread.
            e.javaClass.simpleName to e.toString()
        }
        failures += GivenUp(number, kind, example, asked, System.nanoTime())
    }
}

private const val OK = 200
