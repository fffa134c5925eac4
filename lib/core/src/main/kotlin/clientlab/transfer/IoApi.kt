package clientlab.transfer

import clientlab.*
import kotlinx.serialization.Serializable
import java.net.InetSocketAddress
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.zip.CRC32

/**
 * What an I/O API says of itself; plain data, so that a notebook can list I/O APIs without having one on its classpath.
 *
 * @property id the one spelling in cell, column, legend and claim: `stream`, `ktor`; in another version of its library than the lab's
 * `ktor:2.3.12`.
 * @property library the artifact whose version the manifest keeps, `group:name`.
 * @property how what it calls, and which options were chosen.
 * @property ownJvm whether it runs in a separate JVM, so that only its time is measured.
 */
@Serializable
public data class IoApiInfo(
    val id: String,
    val title: String,
    val library: String,
    val how: String,
    val operations: List<Operation>,
    val ownJvm: Boolean = false,
) {
    init {
        refuseUnless(ID.matches(id)) { "'$id' is no id of an I/O API: use lower-case letters, digits and dashes." }
        refuseUnless(operations.isNotEmpty()) { "The I/O API $id does nothing: name at least one operation." }
    }

    /** The version of the library that the id names; null is the one that the lab was built with. */
    public val version: String? get() = ClientInfo.versionOf(id)

    override fun toString(): String = id

    private companion object {
        private val ID = Regex("[a-z0-9]+(-[a-z0-9]+)*(:[0-9][A-Za-z0-9]*([.-][A-Za-z0-9]+)*)?")
    }
}

/** The I/O APIs that a trial JVM can open, found by [java.util.ServiceLoader] on its classpath, as clients are. */
public interface IoApiCatalogue {
    /** All entries, in the order in which tables show them; ids are unique, and name no version. */
    public val entries: List<IoApiEntry>
}

/** An I/O API and what it says of itself; [open] is called in the trial JVM only. The caller closes the mover. */
public class IoApiEntry(public val info: IoApiInfo, public val open: (MoveTask) -> Mover)

/**
 * One task for a [Mover]: the same in each iteration.
 *
 * @property file the file that is read, or written again each time; null if the task has no file.
 * @property content the block that is written repeatedly until [bytes] are written.
 * @property sink the address of a socket's receiving end; null if the task has no socket. It answers [bytes] bytes with a [Receipt].
 */
public class MoveTask(
    public val operation: Operation,
    public val bytes: Long,
    public val content: ByteArray,
    public val file: Path? = null,
    public val sink: InetSocketAddress? = null,
)

/** An I/O API at work: it holds files, connections and threads until [close]. One call at a time. */
public interface Mover : AutoCloseable {
    /**
     * Moves all bytes of its task once, and gives [tally] those that it reads from a file. It returns when the last byte is read or written
     * and the sink, if there is one, has answered. Fails with the API's own exception where the transfer broke off.
     */
    public suspend fun move(tally: Tally): Moved

    override fun close()
}

/**
 * A mover's result of one iteration.
 *
 * @property receipt the answer of a socket's other end, or null if there is no socket.
 * @property tookNanos the time by the clock of a mover in a separate JVM; null if the caller's clock counts.
 */
public class Moved(public val receipt: Receipt? = null, public val tookNanos: Long? = null) {
    public companion object {
        /** The iteration is done; there is no further result. */
        public val Done: Moved = Moved()
    }
}

/** The receiving end's report of what arrived; [checksum] is its CRC-32, or -1 if none was requested. */
public data class Receipt(val bytes: Long, val checksum: Long) {
    public companion object {
        /** Length of a receipt on the wire: both numbers, the high byte first. */
        public const val SIZE: Int = 16

        /** Reads a receipt from its bytes on the wire. */
        public fun of(wire: ByteArray): Receipt {
            val buffer = ByteBuffer.wrap(wire)
            return Receipt(buffer.getLong(), buffer.getLong())
        }
    }
}

/**
 * Counts bytes and, if [checksum] is true, computes their CRC-32. For one thread at a time. Timed iterations count only: a checksum costs
 * about a fifth of reading from the page cache, for every I/O API alike, so it would hide differences.
 */
public class Tally(private val checksum: Boolean = false) {
    private val crc = CRC32()

    /** Bytes so far. */
    public var bytes: Long = 0
        private set

    /** CRC-32 so far, or null where none was asked for. */
    public val value: Long? get() = if (checksum) crc.value else null

    /** Adds [length] bytes of [chunk] from [offset] on. */
    public fun add(chunk: ByteArray, length: Int, offset: Int = 0) {
        bytes += length
        if (checksum) crc.update(chunk, offset, length)
    }

    /** Adds the remaining bytes of [chunk] and consumes them. */
    public fun add(chunk: ByteBuffer) {
        bytes += chunk.remaining()
        if (checksum) crc.update(chunk) else chunk.position(chunk.limit())
    }
}

/** The content of this JVM's transfers: a repeated block of 64 KiB. */
public object Content {
    /** The size of the block, and of the buffer of every I/O API that lets its caller choose one. */
    public const val BLOCK: Int = 1 shl 16

    /** A fresh copy of the block: always the same bytes, and no byte equals its neighbour. */
    public fun block(): ByteArray = ByteArray(BLOCK) { (it * 31 + (it ushr 8) * 7).toByte() }

    /** CRC-32 of [block] repeated up to [bytes] bytes. */
    public fun checksum(block: ByteArray, bytes: Long): Long {
        val crc = CRC32()
        for (begun in 0 until bytes step block.size.toLong()) crc.update(block, 0, minOf(bytes - begun, block.size.toLong()).toInt())
        return crc.value
    }
}
