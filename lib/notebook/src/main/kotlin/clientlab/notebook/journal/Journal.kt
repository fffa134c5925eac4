package clientlab.notebook.journal

import clientlab.LabJson
import clientlab.Trial
import java.io.FileOutputStream
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText

/** The trials of one run as they come: a line each in `trials.jsonl`, on the disk before the next trial begins. */
internal class Journal(folder: Path) : AutoCloseable {
    private val out = FileOutputStream(folder.resolve(FILE).toFile(), true)

    fun append(trial: Trial) {
        out.write((LabJson.encodeToString(trial) + "\n").toByteArray())
        out.fd.sync()
    }

    override fun close(): Unit = out.close()

    companion object {
        const val FILE = "trials.jsonl"

        /** The trials kept in [folder]; a torn last line, left by a run that was killed, is passed over. */
        fun read(folder: Path): List<Trial> {
            val file = folder.resolve(FILE)
            if (!file.exists()) return emptyList()
            val text = file.readText()
            val whole = text.substring(0, text.lastIndexOf('\n') + 1)
            return whole
                .lineSequence()
                .filter(String::isNotBlank)
                .map { LabJson.decodeFromString<Trial>(it) }
                .toList()
        }
    }
}
