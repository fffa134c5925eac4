package clientlab.conduct.memory

import clientlab.conduct.scene.*

internal val largeAnswer = large(
    "memory.download",
    "In a program with a heap of 64 MiB the caller reads an answer of 256 MiB as a stream.",
    ProgramTask.Downloads,
    whole = "$LARGE_BYTES",
)
internal val largeRequest = large(
    "memory.upload",
    "In a program with a heap of 64 MiB the caller sends a request of 256 MiB, a piece at a time.",
    ProgramTask.Uploads,
    whole = "200",
)

private fun large(id: String, story: String, task: ProgramTask, whole: String) = Situation(id, story, apart = true) {
    program(largeServer(), task) { _, word ->
        when (word) {
            whole -> Observed("needs little memory")

            OUT_OF_MEMORY -> Observed(
                "fails (OutOfMemoryError)",
                concern = "The body has to fit into the heap, and a program without memory may do anything.",
            )

            WAITS_ON -> Observed("does not come to its end", concern = "The caller does not learn that memory ran out.")

            else -> Observed("fails ($word)", concern = "A body that is larger than the heap cannot be moved.")
        }
    }
}

/** It answers a GET of [LARGE_PATH] with [LARGE_BYTES], and everything else with a little. */
internal fun Scene.largeServer(): ScriptedServer = server {
    while (true) {
        val request = receive()
        if (request.target == LARGE_PATH && request.method == "GET") answerLarge(LARGE_BYTES) else answer()
    }
}
