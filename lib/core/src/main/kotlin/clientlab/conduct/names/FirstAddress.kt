package clientlab.conduct.names

import clientlab.conduct.scene.*
import clientlab.trial.*

internal val refusing = Situation("names.refusing", "The server's name has two addresses. Nobody listens at the first one.") {
    val name = name(SECOND, FIRST)
    byName(name) {
        val ending = open(name.url(answering(FIRST).port)).ask()
        Observed(if (ending.isAnswer()) "tries the next address" else ending.words, ending.ms)
            .concern("A name with several addresses is as good as the first of them.", !ending.isAnswer())
    }
}

internal val dead = Situation(
    "names.dead",
    "The server's name has two addresses. The first one does not answer the connect, as if the packets were lost.",
) {
    val name = name(SECOND, FIRST)
    byName(name) {
        val port = answering(FIRST).port
        val full = keep(FullQueue(SECOND, port))
        if (full.isFull) {
            val ending = open(name.url(port)).ask()
            if (ending.isAnswer()) Observed("tries the next address within the time-out", ending.ms) else ending.atTimeout(NO_END)
        } else {
            Observed("not testable: this system refuses a connect instead of dropping it")
        }
    }
}

private const val NO_END = "A host that is gone holds the caller for minutes."
