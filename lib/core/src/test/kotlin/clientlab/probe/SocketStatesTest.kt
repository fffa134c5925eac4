package clientlab.probe

import clientlab.testing.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledOnOs
import org.junit.jupiter.api.condition.OS
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket

class SocketStatesTest {
    private val table =
        """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1
           1: 0100007F:1F90 0100007F:C350 08 00000000:00000000 00:00000000 00000000     0        0 2 1
           2: 0100007F:C350 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 3 1
           3: 0000000000000000FFFF00000100007F:C351 0000000000000000FFFF00000100007F:1F90 01 00000000:00000000 00:00000000 00000000 0 0 4 1
           4: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000100007F:C351 01 00000000:00000000 00:00000000 00000000 0 0 5 1
           5: 0100007F:0016 0100007F:C352 01 00000000:00000000 00:00000000 00000000     0        0 6 1
        """.trimIndent().lines()

    @Test
    fun `both ends of the connections to a port are found, and the listening socket is none`() {
        val states = SocketStates.of(8080, table)
        states.own shouldContainExactly listOf(SocketEnd(50000, 8080, "FIN_WAIT2"), SocketEnd(50001, 8080, "ESTABLISHED"))
        states.peer shouldContainExactly listOf(SocketEnd(8080, 50000, "CLOSE_WAIT"), SocketEnd(8080, 50001, "ESTABLISHED"))
        states.left shouldBe 2
        states.counts()["ownOther"] shouldBe 1.0
        states.counts()["peerCloseWait"] shouldBe 1.0
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    fun `a connection whose one end does not close is left in CLOSE_WAIT`() {
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { listener ->
            val mine = Socket(listener.inetAddress, listener.localPort)
            listener.accept().use {
                eventually({ SocketStates.of(listener.localPort)?.own }) { SocketStates.of(listener.localPort)?.left == 1 }
                mine.close()
                eventually({ SocketStates.of(listener.localPort)?.peer }) {
                    SocketStates.of(listener.localPort)?.peer?.map { it.state } == listOf("CLOSE_WAIT")
                }
            }
            eventually({ SocketStates.of(listener.localPort)?.own }) { SocketStates.of(listener.localPort).shouldNotBeNull().left == 0 }
        }
    }
}
