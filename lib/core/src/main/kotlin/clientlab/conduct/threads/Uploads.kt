package clientlab.conduct.threads

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.seconds

internal val uploads = Situation(
    "threads.uploads",
    "In a program as many uploads are under way as Dispatchers.IO has threads, and the server reads none. Then a coroutine asks for a thread of it.",
    apart = true,
) {
    val server = serverThatReadsNoUpload()
    program(server, ProgramTask.UploadsBesideIo) { _, word ->
        val begun = server.requests.count { it.second.method == "POST" }
        when {
            word == WAITS_ON -> Observed(
                "Dispatchers.IO has no thread left",
                concern = "Whatever else needs a thread of Dispatchers.IO waits until the server reads.",
            )

            begun < word.toInt() -> Observed("not testable: only $begun of $word uploads are under way")

            else -> Observed("Dispatchers.IO has threads left")
        }
    }
}

/** It reads the head of a POST, and for a long time nothing of its body. */
internal fun Scene.serverThatReadsNoUpload(): ScriptedServer = server {
    while (true) {
        if (receiveHead().method == "POST") pause(LONG) else answer()
    }
}

private val LONG = 10.seconds
