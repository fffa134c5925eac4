package clientlab.conduct.memory

import clientlab.client.*
import clientlab.conduct.scene.*

/** It cannot fit, so memory runs out, or the client refuses before. What matters is whether the caller learns of it, in time. */
internal val heldAnswer = Situation(
    "memory.whole",
    "In a program with a heap of 64 MiB the caller asks for an answer of 256 MiB as one array of bytes.",
) {
    program(largeServer(), ProgramTask.Holds) { _, word ->
        when (word) {
            OUT_OF_MEMORY -> Observed("the caller learns that memory ran out")
            WAITS_ON -> Observed("the caller waits on", concern = "Memory ran out, and the caller does not learn it.")
            UnsupportedRequest::class.simpleName -> Observed("not supported: the adapter holds no body in memory")
            "$LARGE_BYTES" -> Observed("not testable: the adapter reads the answer piece by piece")
            else -> Observed("fails ($word)")
        }
    }
}
