package clientlab.conduct.retries

import clientlab.conduct.scene.*
import java.net.InetAddress
import java.net.ServerSocket
import java.net.URI

internal val refused = Situation("retries.refused", "Nobody listens at the server's port.") {
    val port = ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { it.localPort }
    val ending = open(URI("http://127.0.0.1:$port")).ask()
    val late = !ending.pending && ending.ms > AT_ONCE_MS
    Observed(if (late) "${ending.words} after a while" else ending.words, ending.ms)
}

private const val AT_ONCE_MS = 200.0
