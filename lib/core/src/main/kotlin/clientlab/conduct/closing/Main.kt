package clientlab.conduct.closing

import clientlab.conduct.scene.*
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import java.io.NotSerializableException

internal val mainOpen = main(
    "closing.main",
    "A program sends one request and returns from main. It does not close the client.",
    closes = false,
    "A program that forgets to close the client does not end, or not for long.",
)
internal val mainClosed = main(
    "closing.main-closed",
    "A program sends one request, closes the client and returns from main.",
    closes = true,
    "The program does not end, although the client is closed.",
)

private fun main(id: String, story: String, closes: Boolean, concern: String) = Situation(id, story) {
    val server = server {
        while (true) {
            receive()
            answer()
        }
    }
    withContext(Dispatchers.IO) {
        val program = try {
            program(server, closes)
        } catch (stays: NotSerializableException) {
            return@withContext Observed("not testable: the client cannot be carried to another process, because of ${stays.message}")
        }
        if (program.returned()) {
            val ms = program.endMs(within = PATIENCE * 2)
            when {
                ms == null -> Observed("the program does not end within ${(PATIENCE * 2).inWholeSeconds} s", concern = concern)
                ms > AT_ONCE_MS -> Observed("the program ends after a while", ms)
                else -> Observed("the program ends at once", ms)
            }
        } else {
            Observed("not testable: the program did not come to its end: ${program.words()}")
        }
    }
}

private const val AT_ONCE_MS = 500.0
