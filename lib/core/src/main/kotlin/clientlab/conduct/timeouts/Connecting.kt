package clientlab.conduct.timeouts

import clientlab.conduct.scene.*
import clientlab.trial.*

internal val connecting = Situation("timeouts.connecting", "The host does not answer the connect, as if the packets were lost.") {
    val full = keep(FullQueue())
    if (full.isFull) {
        open(full.url).ask().atTimeout(without = "A host that is gone holds the caller for minutes.")
    } else {
        Observed("not testable: this system refuses a connect instead of dropping it")
    }
}
