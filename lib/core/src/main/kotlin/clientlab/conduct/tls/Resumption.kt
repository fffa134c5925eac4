package clientlab.conduct.tls

import clientlab.conduct.scene.*
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.time.Duration.Companion.milliseconds

internal val resumption = Situation("tls.resumption", "The server closes a TLS connection. The caller sends another request.") {
    val resumed = AtomicBoolean()
    val server = server(Certificate.Own) {
        receive()
        if (number > 1 && resumes) resumed.set(true)
        answer()
        pause(LET_READ)
        close()
    }
    val session = open(server)
    session.ask("/first")
    pause(AFTER_CLOSE)
    val ending = session.ask("/second")
    when {
        !ending.isAnswer() -> Observed(ending.words, ending.ms)
        resumed.get() -> Observed("goes on with the first connection's TLS session")
        else -> Observed("makes a whole handshake again")
    }
}

private val LET_READ = 30.milliseconds
private val AFTER_CLOSE = 150.milliseconds
