package clientlab.conduct.threads

import clientlab.conduct.scene.*

internal val nested = waiting(
    "threads.nested",
    "In a program every thread of Dispatchers.IO waits in runBlocking for an answer. The server answers each request at once.",
    ProgramTask.WaitsOnEveryIoThread,
    "Dispatchers.IO",
)
internal val oneProcessor = waiting(
    "threads.one-processor",
    "In a program with one processor both threads of Dispatchers.Default wait in runBlocking for an answer. The server answers at once.",
    ProgramTask.WaitsOnBothDefaultThreads,
    "Dispatchers.Default",
)

private fun waiting(id: String, story: String, task: ProgramTask, dispatcher: String) = Situation(id, story, apart = true) {
    val server = server {
        while (true) {
            receive()
            answer()
        }
    }
    val stuck = "Answers need a thread of $dispatcher, and each of them waits for an answer: nothing in the program goes on."
    program(server, task) { _, answered ->
        val (some, all) = answered.split(" of ").map { it.toInt() }
        when (some) {
            all -> Observed("all are answered")
            0 -> Observed("none is answered", concern = stuck)
            else -> Observed("some are answered", concern = stuck)
        }
    }
}
