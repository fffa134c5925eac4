package clientlab.conduct.memory

import clientlab.conduct.scene.*

/** It cannot fit, so memory runs out. What matters is who learns of it. */
internal val heldAnswer = Situation(
    "memory.whole",
    "In a program with a heap of 64 MiB the caller reads an answer of 256 MiB at once.",
) {
    program(largeServer(), ProgramTask.Holds) { _, word ->
        when (word) {
            OUT_OF_MEMORY -> Observed("the caller learns that memory ran out")
            WAITS_ON -> Observed("the caller waits on", concern = "Memory ran out, and the caller does not learn it.")
            "$LARGE_BYTES" -> Observed("holds no more than a part at a time")
            else -> Observed("fails ($word)")
        }
    }
}
