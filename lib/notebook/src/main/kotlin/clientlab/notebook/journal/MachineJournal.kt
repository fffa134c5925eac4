package clientlab.notebook.journal

import clientlab.*
import clientlab.machine.*
import kotlinx.serialization.Serializable
import java.io.RandomAccessFile
import java.nio.file.Path

/**
 * What happened on the machine from the end of the previous trial to the end of this one: a line of `machine.jsonl`. Both of a duet have the
 * same. [disturbed] has a sentence for each value beyond its limit.
 */
@Serializable
public data class TrialReading(val round: Int, val treatment: Treatment, val span: MachineSpan, val disturbed: List<String> = emptyList())

/** The readings of one run in their order, beside its trials. */
internal class MachineJournal(folder: Path) : AutoCloseable {
    private val file = RandomAccessFile(folder.resolve(FILE).toFile(), "rw")

    init {
        // An incomplete line of a killed run would make the next line unreadable.
        var whole = 0L
        eachLine(folder.resolve(FILE)) { _, end -> whole = end }
        file.setLength(whole)
        file.seek(whole)
    }

    fun append(reading: TrialReading): Unit = file.write((LabJson.encodeToString(reading) + "\n").toByteArray())

    override fun close(): Unit = file.close()

    companion object {
        const val FILE = "machine.jsonl"

        /** The readings kept in [folder]: none for a run from before there were readings. An incomplete last line is ignored. */
        fun read(folder: Path): List<TrialReading> =
            buildList { eachLine(folder.resolve(FILE)) { line, _ -> add(LabJson.decodeFromString<TrialReading>(line)) } }
    }
}
