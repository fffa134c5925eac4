package clientlab.conduct.closing

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.seconds

internal val mainOpen = main(
    "closing.main",
    "A program sends one request and returns from main. It does not close the client.",
    ProgramTask.Sends,
    "A program that does not close the client ends late, or never.",
)
internal val mainClosed = main(
    "closing.main-closed",
    "A program sends one request, closes the client and returns from main.",
    ProgramTask.SendsAndCloses,
    "The program does not end, although the client is closed.",
)

private fun main(id: String, story: String, task: ProgramTask, concern: String) = Situation(id, story) {
    val server = server {
        while (true) {
            receive()
            answer()
        }
    }
    program(server, task) { program, _ ->
        val ms = program.endMs(within = MOST)
        when {
            ms == null -> Observed("the program does not end within ${MOST.inWholeSeconds} s", concern = concern)
            ms > AT_ONCE_MS -> Observed("the program ends after a while", ms)
            else -> Observed("the program ends at once", ms)
        }
    }
}

private val MOST = 2.seconds
private const val AT_ONCE_MS = 500.0
