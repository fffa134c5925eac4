package clientlab.transfer

import clientlab.*
import clientlab.testing.*
import clientlab.workloads.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import java.util.zip.CRC32

class TransferTest {
    private val stream = means("stream", Operation.FileRead, Operation.SocketWrite)
    private val okio = means("okio", Operation.FileRead)

    @Test
    fun `every means does what it can, at every size`() {
        Transfer(listOf(Operation.FileRead, Operation.SocketWrite), listOf(stream, okio), bytes = listOf(1, 2)).treatments.map {
            it.key
        } shouldContainExactly
            listOf(
                "operation=file-read;means=stream;bytes=1",
                "operation=file-read;means=okio;bytes=1",
                "operation=file-read;means=stream;bytes=2",
                "operation=file-read;means=okio;bytes=2",
                "operation=socket-write;means=stream;bytes=1",
                "operation=socket-write;means=stream;bytes=2",
            )
    }

    @Test
    fun `over HTTP clients do it, one or several at once`() {
        val transfer = Transfer(listOf(Operation.Download), clients = listOf(info("jdk")), bytes = listOf(5), inFlight = listOf(1, 4))
        transfer.treatments.map { it.key } shouldContainExactly
            listOf("client=jdk;operation=download;inFlight=1;bytes=5", "client=jdk;operation=download;inFlight=4;bytes=5")
        transfer.mostConnections shouldBe 20
        transfer
            .withClients(listOf(info("okhttp")))
            .treatments
            .mapNotNull { it.client }
            .distinct() shouldBe listOf("okhttp")
    }

    @Test
    fun `options of a client go to its fork`() {
        val fuel = info("fuel").copy(jvmArgs = listOf("-Dn={inFlight}"))
        val transfer = Transfer(listOf(Operation.Upload), clients = listOf(fuel), inFlight = listOf(4))
        transfer.jvmArgs(transfer.treatments.single()) shouldBe listOf("-Dn=4")
    }

    @Test
    fun `what makes no sense is refused in a sentence`() {
        refused("needs an operation") { Transfer(emptyList()) }
        refused("None of the I/O APIs okio does socket-write") { Transfer(listOf(Operation.SocketWrite), listOf(okio)) }
        refused("The I/O API okio does none of socket-write") { Transfer(listOf(Operation.SocketWrite), listOf(stream, okio)) }
        refused("is done by clients") { Transfer(listOf(Operation.Download)) }
        refused("0 bytes is impossible") { Transfer(listOf(Operation.FileRead), listOf(okio), bytes = listOf(0)) }
        refused("1 byte to 1 GiB") { Transfer(listOf(Operation.FileRead), listOf(okio), bytes = listOf(1025.mebibytes)) }
        refused("0 iterations are impossible") { Transfer(listOf(Operation.FileRead), listOf(okio), iterations = 0) }
        refused("0 transfers at once") { Transfer(listOf(Operation.Download), clients = listOf(info("a")), inFlight = listOf(0)) }
        refused("more than once") { Transfer(listOf(Operation.FileRead), listOf(okio, okio)) }
        refused("not for upload") { Transfer(listOf(Operation.Upload), clients = listOf(info("a")), fault = Fault.Cut) }
    }

    @Test
    fun `the small version is small`() {
        val smoke = Experiment(
            "x",
            Transfer(listOf(Operation.FileRead), listOf(okio), bytes = listOf(1.mebibytes, 128.mebibytes, 1024.mebibytes)),
        ).smoke()
        val small = smoke.workload as Transfer
        small.bytes shouldBe listOf(1.mebibytes, 4.mebibytes)
        small.iterations shouldBe 5
        smoke.forks shouldBe 1
    }

    @Test
    fun `a workload is the same after a journey through JSON`() {
        val transfer = Transfer(listOf(Operation.FileRead), listOf(stream), fault = Fault.Flip)
        ExperimentJson.decodeFromString<Workload>(ExperimentJson.encodeToString<Workload>(transfer)) shouldBe transfer
        transfer.ioApi(transfer.treatments.single()) shouldBe stream
        transfer.treatments.single()[Factor.IO_API] shouldBe "stream"
    }

    @Test
    fun `a tally counts, and sums where it is asked to`() {
        val bytes = ByteArray(100) { it.toByte() }
        val tally = Tally(checksum = true)
        tally.add(bytes, 60)
        tally.add(java.nio.ByteBuffer.wrap(bytes, 60, 40))
        tally.bytes shouldBe 100
        tally.value shouldBe CRC32().apply { update(bytes) }.value
        Tally().apply { add(bytes, 7) }.value shouldBe null
    }

    @Test
    fun `content is the same block again and again`() {
        val block = Content.block()
        val twice = CRC32().apply { update(block) }.apply { update(block, 0, 10) }
        Content.checksum(block, block.size + 10L) shouldBe twice.value
        Receipt.of(java.nio.ByteBuffer.allocate(Receipt.SIZE).putLong(7).putLong(-1).array()) shouldBe Receipt(7, -1)
    }

    private fun means(id: String, vararg operations: Operation) = IoApiInfo(id, id, "test:$id", "none", operations.toList())

    private fun refused(words: String, make: () -> Unit) {
        shouldThrow<LabException> { make() }.message shouldContain words
    }
}
