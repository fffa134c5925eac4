package clientlab.conduct.names

import clientlab.conduct.scene.*
import java.net.InetAddress
import kotlin.time.Duration.Companion.milliseconds

internal val spread = Situation("names.spread", "The server's name has two addresses, both good. The caller sends ten requests at once.") {
    val name = name(FIRST, SECOND)
    byName(name) {
        val one = slow(FIRST, 0)
        val other = slow(SECOND, one.port)
        val session = open(name.url(one.port))
        List(10) { session.start("/$it") }.forEach { it.end() }
        when {
            one.connections == 0 && other.connections == 0 -> Observed("connects to neither")
            one.connections == 0 || other.connections == 0 -> Observed("uses one of the addresses")
            else -> Observed("uses both addresses")
        }
    }
}

private fun Scene.slow(address: InetAddress, port: Int) =
    server(address, port) {
        while (true) {
            receive()
            pause(TAKES)
            answer()
        }
    }

private val TAKES = 40.milliseconds
