package clientlab.conduct.timeouts

import clientlab.conduct.scene.*

internal val upload = Situation("timeouts.upload", "The server does not read the body of a POST of 16 MiB.") {
    val server = server {
        receiveHead()
        pause(PATIENCE * 2)
    }
    open(server)
        .ask(method = "POST", bodyBytes = 16L shl 20)
        .atTimeout(without = "A server that does not read holds a caller that uploads for ever.")
}
