package clientlab.conduct.closing

import clientlab.conduct.scene.*

internal val afterwards = Situation("closing.afterwards", "The caller closes the session and sends another request through it.") {
    val server = server {
        while (true) {
            receive()
            answer()
        }
    }
    val session = open(server)
    session.ask("/first")
    closeOf(session).await(within = PATIENCE)
    val ending = session.ask("/second")
    Observed(if (ending.isAnswer()) "sends it all the same" else ending.words, ending.ms)
        .concern("The caller waits for an answer that cannot come.", ending.pending)
}
