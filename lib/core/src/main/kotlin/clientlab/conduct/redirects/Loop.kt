package clientlab.conduct.redirects

import clientlab.conduct.scene.*

internal val loop = Situation("redirects.loop", "Every address leads to the next one, without an end.") {
    val server = server {
        while (true) answer(302, "", "Location: /${receive().target.drop(1).toInt() + 1}")
    }
    val ending = open(server).ask("/0")
    val followed = server.requests.size - 1
    when {
        followed == 0 -> Observed("does not follow: ${ending.words}")
        ending.pending || followed > MOST -> Observed("follows on and on", followed.toDouble(), "It follows more than $MOST times.")
        else -> Observed("follows $followed times: ${ending.words}")
    }
}

private const val MOST = 100
