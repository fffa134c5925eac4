package clientlab.conduct.tls

import clientlab.conduct.scene.*

internal val otherHost = refused(
    "tls.other-host",
    "The server's certificate is for another host.",
    Certificate.OtherHost,
    "The owner of any other host can read along.",
)
internal val expired = refused(
    "tls.expired",
    "The server's certificate has expired.",
    Certificate.Expired,
    "A key that was given up is good for ever.",
)
internal val stranger = refused(
    "tls.stranger",
    "The server has signed its certificate itself, and the JVM does not trust it.",
    Certificate.Stranger,
    "Anybody can read along.",
)

private fun refused(id: String, story: String, certificate: Certificate, concern: String) = Situation(id, story) {
    val server = server(certificate) {
        receive()
        answer()
    }
    val ending = open(server).ask()
    Observed(if (ending.isAnswer()) "talks to it" else ending.words, ending.ms)
        .concern(concern, ending.isAnswer())
        .concern("The caller waits for a connection that cannot be.", ending.pending)
}
