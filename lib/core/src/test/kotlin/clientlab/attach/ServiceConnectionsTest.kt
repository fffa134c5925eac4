package clientlab.attach

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.writeText

/** The connections of a process, from tables made by hand. */
class ServiceConnectionsTest(
    @param:TempDir private val proc: Path,
) {
    @Test
    fun `a connection counts where the process holds its socket and did not accept it`() {
        val process = proc.resolve("4711").resolve("fd").createDirectories().parent
        listOf("3" to "socket:[11]", "4" to "socket:[12]", "5" to "/dev/null", "6" to "socket:[10]").forEach { (name, to) ->
            process.resolve("fd/$name").createSymbolicLinkPointingTo(Path.of(to))
        }
        val rest = "00000000:00000000 00:00000000 00000000 0 0"
        process.resolve("net").createDirectories().resolve("tcp").writeText(
            """
            sl local_address rem_address st
            0: 0100007F:1F90 00000000:0000 0A $rest 10
            1: 0100007F:C350 0100007F:0050 01 $rest 11
            2: 0100007F:1F90 0100007F:C351 01 $rest 12
            3: 0100007F:C352 0100007F:0050 01 $rest 13
            """.trimIndent(),
        )
        ServiceConnections.of(4711, proc).map { it.peer to it.state } shouldContainExactly listOf("127.0.0.1:80" to "ESTABLISHED")
        ServiceConnections.of(4712, proc).shouldBeEmpty()
    }

    @Test
    fun `the time for which a connection was idle is the shorter one of both directions`() {
        val head = "ESTAB 0 0 127.0.0.1:50000 127.0.0.1:80"
        ServiceConnections.idleOf(head, "cubic rto:204 lastsnd:4476 lastrcv:5000 lastack:4476") shouldBe ("50000 80" to 4476L)
        ServiceConnections.idleOf(head, "cubic rto:204") shouldBe null
    }
}
