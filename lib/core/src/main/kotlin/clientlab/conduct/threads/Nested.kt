package clientlab.conduct.threads

import clientlab.conduct.scene.*

/** A client whose answers need a thread of `Dispatchers.IO` waits for good. The program is one of its own, because it does not recover. */
internal val nested = Situation(
    "threads.nested",
    "In a program every thread of Dispatchers.IO waits in runBlocking for an answer. The server answers each request at once.",
) {
    val server = server {
        while (true) {
            receive()
            answer()
        }
    }
    program(server, ProgramTask.WaitsOnEveryIoThread) { _, answered ->
        val (some, all) = answered.split(" of ").map { it.toInt() }
        when (some) {
            all -> Observed("all are answered")
            0 -> Observed("none is answered", concern = STUCK)
            else -> Observed("some are answered", concern = STUCK)
        }
    }
}

private const val STUCK = "Answers need a thread of Dispatchers.IO, and each of them waits for an answer: nothing in the program goes on."
