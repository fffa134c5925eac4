package clientlab.transfer

import clientlab.refuseUnless
import kotlinx.serialization.Serializable
import java.net.InetSocketAddress
import java.nio.file.Path

/**
 * What a means of moving bytes says of itself; plain data, so that a notebook can list them without having one on its classpath.
 *
 * @property id the one spelling in cell, column, legend and claim: `stream`, `ktor-channel`.
 * @property title the name a reader knows.
 * @property library the artifact whose version the manifest keeps, `group:name`.
 * @property how what it calls, and what was chosen where there was a choice.
 * @property operations what it can do.
 * @property ownJvm whether it works in a JVM of its own, so that nothing but its time can be told.
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
        refuseUnless(ID.matches(id)) { "'$id' is no id of a means: lower-case letters, digits and dashes." }
        refuseUnless(operations.isNotEmpty()) { "The means $id does nothing: it has to name one operation at least." }
    }

    override fun toString(): String = id

    private companion object {
        private val ID = Regex("[a-z0-9]+(-[a-z0-9]+)*")
    }
}

/** The means that a trial JVM can open, found by [java.util.ServiceLoader] on its classpath, as clients are. */
public interface IoApiCatalogue {
    /** All entries, in the order in which tables show them; ids are unique. */
    public val entries: List<IoApiEntry>
}

/** A means and what it says of itself; [open] is called in the trial JVM only. The caller closes the mover. */
public class IoApiEntry(
    public val info: IoApiInfo,
    public val open: (MoveTask) -> Mover,
)

/**
 * One task for a [Mover]: the same in each iteration.
 *
 * @property bytes how many bytes each iteration moves.
 * @property file what is read, or written anew each time; null where no file has a part in it.
 * @property content what is written, again and again from its beginning until [bytes] are written.
 * @property sink where the receiving end of a socket listens; null where no socket has a part in it. After [bytes] bytes it answers with
 *   the 16 bytes of a [Receipt].
 */
public class MoveTask(
    public val operation: Operation,
    public val bytes: Long,
    public val content: ByteArray,
    public val file: Path? = null,
    public val sink: InetSocketAddress? = null,
)

/**
 * A means at work: it holds files, connections and threads until [close]. One call at a time.
 */
public interface Mover : AutoCloseable {
    /**
     * Moves all bytes of its task once. What it reads from a file for the caller it hands to [tally]; it suspends, or blocks its
     * caller, until the last byte is read or written, and where there is a sink until that has answered.
     *
     * Fails with the means' own exception where the transfer broke off.
     */
    public suspend fun move(tally: Tally): Moved

    override fun close()
}

/**
 * What a mover knows of an iteration.
 *
 * @property receipt what the other end of a socket answered, or null where there is none.
 * @property tookNanos the time by a clock of its own, where the mover works in a JVM of its own; null where the caller's clock counts.
 */
public class Moved(
    public val receipt: Receipt? = null,
    public val tookNanos: Long? = null,
) {
    public companion object {
        /** Nothing but that it is done. */
        public val Done: Moved = Moved()
    }
}

/**
 * The receiving end's word on what arrived.
 *
 * @property checksum CRC-32 of it, or -1 where it was not asked to compute one.
 */
public data class Receipt(
    val bytes: Long,
    val checksum: Long,
) {
    public companion object {
        /** Length of a receipt on the wire: both numbers, the high byte first. */
        public const val SIZE: Int = 16

        /** Reads a receipt from its bytes on the wire. */
        public fun of(wire: ByteArray): Receipt {
            val buffer = java.nio.ByteBuffer.wrap(wire)
            return Receipt(buffer.getLong(), buffer.getLong())
        }
    }
}
