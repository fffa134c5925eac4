package clientlab.notebook.journal

import clientlab.*
import clientlab.machine.*
import kotlinx.serialization.Serializable
import java.io.FileOutputStream
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * What happened on the machine during one trial, warm-up included: a line of `machine.jsonl`.
 *
 * @property span from the end of the previous trial to the end of this one.
 * @property disturbed a sentence for each value beyond its limit; the trial has them among its warnings.
 */
@Serializable
public data class TrialReading(
    val round: Int,
    val treatment: Treatment,
    val span: MachineSpan,
    val disturbed: List<String> = emptyList(),
)

/** The readings of one run in their order, beside its trials. */
internal class MachineJournal(folder: Path) : AutoCloseable {
    private val out = FileOutputStream(folder.resolve(FILE).also(::cutTorn).toFile(), true)

    fun append(reading: TrialReading): Unit = out.write((LabJson.encodeToString(reading) + "\n").toByteArray())

    override fun close(): Unit = out.close()

    companion object {
        const val FILE = "machine.jsonl"

        /** An incomplete line of a killed run would make the next line unreadable. */
        private fun cutTorn(file: Path) {
            if (file.exists() && !file.readText().endsWith('\n')) file.writeText(whole(file))
        }

        /** The whole lines of [file]. */
        private fun whole(file: Path): String = file.readText().let { it.take(it.lastIndexOf('\n') + 1) }

        /** The readings kept in [folder]: none for a run from before there were readings. An incomplete last line is ignored. */
        fun read(folder: Path): List<TrialReading> {
            val file = folder.resolve(FILE).takeIf { it.exists() } ?: return emptyList()
            return whole(file).lines().filter(String::isNotBlank).map { LabJson.decodeFromString<TrialReading>(it) }
        }
    }
}
