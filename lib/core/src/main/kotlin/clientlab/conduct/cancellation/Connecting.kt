package clientlab.conduct.cancellation

import clientlab.conduct.scene.*
import clientlab.trial.*
import kotlin.time.Duration.Companion.milliseconds

internal val connecting = Situation("cancellation.connecting", "The caller cancels while the client connects to a host that is gone.") {
    val full = keep(FullQueue())
    if (full.isFull) {
        val call = open(full.url).start()
        pause(LET_CONNECT)
        val cancelled = Cancelled.of(call)
        Observed(cancelled.words, cancelled.freeMs).concern(Cancelled.NOT_FREE, !cancelled.isFree)
    } else {
        Observed("not testable: this system refuses a connect instead of dropping it")
    }
}

private val LET_CONNECT = 100.milliseconds
