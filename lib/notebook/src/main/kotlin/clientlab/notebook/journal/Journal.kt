package clientlab.notebook.journal

import clientlab.LabException
import clientlab.LabJson
import clientlab.Trial
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.RandomAccessFile
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.fileSize
import kotlin.io.path.inputStream
import kotlin.io.path.name

/** The trials of one run as they come: a line each in `trials.jsonl`, on the disk before the next trial begins. */
internal class Journal(private val folder: Path) : AutoCloseable {
    // Not a channel: an interrupt would close it in mid-write.
    private val file = RandomAccessFile(folder.resolve(FILE).toFile(), "rw").apply { seek(length()) }

    /**
     * Keeps what came of one trial, its warm-up and what was measured, in one write.
     *
     * Where that fails, as on a full disk, what went in is taken out again, and a [LabException] says so.
     */
    fun append(trials: List<Trial>) {
        val bytes = trials.joinToString("") { LabJson.encodeToString(it) + "\n" }.toByteArray()
        val before = file.filePointer
        try {
            file.write(bytes)
            file.fd.sync()
        } catch (e: IOException) {
            runCatching { file.setLength(before) }
            throw LabException(
                "A trial could not be written to $folder (${e.message}), so the run ends here, with those before it kept: make room, " +
                    "then go on with resume(\"${folder.name}\").",
                e,
            )
        }
    }

    override fun close(): Unit = file.close()

    /**
     * What a killed run left behind its last whole trial.
     *
     * @property torn the bytes of a line that was not written to its end.
     * @property warmups whole lines of a trial whose measured line is missing.
     */
    internal data class Cut(val torn: Long, val warmups: Int) {
        /** What was cut off, each a sentence. */
        val notes: List<String>
            get() =
                listOfNotNull(
                    "A torn line of $torn bytes was cut off the journal.".takeIf { torn > 0 },
                    "The warm-up of a trial that has no measurement was cut off the journal.".takeIf { warmups > 0 },
                )
    }

    companion object {
        const val FILE = "trials.jsonl"

        /** The trials kept in [folder]; a torn last line, left by a run that was killed, is passed over. */
        fun read(folder: Path): List<Trial> = buildList { each(folder) { add(it) } }

        /** Hands the trials kept in [folder] to [action] one after another, as [read] gives them, and holds none of them. */
        fun each(folder: Path, action: (Trial) -> Unit): Unit = scan(folder) { trial, _ -> action(trial) }

        /**
         * Cuts off what stands behind the last measured trial in [folder]: a torn line, and the warm-up of a trial that was cut short, for
         * that trial will be run again with a warm-up of its own. Every measured trial that is kept is handed to [kept].
         */
        fun mend(folder: Path, kept: (Trial) -> Unit): Cut {
            val file = folder.resolve(FILE)
            if (!file.exists()) return Cut(0, 0)
            var whole = 0L
            var good = 0L
            var warmups = 0
            scan(folder) { trial, end ->
                whole = end
                if (trial.warmup) {
                    warmups++
                } else {
                    kept(trial)
                    good = end
                    warmups = 0
                }
            }
            val size = file.fileSize()
            if (good < size) {
                RandomAccessFile(file.toFile(), "rw").use {
                    it.setLength(good)
                    it.fd.sync()
                }
            }
            return Cut(torn = size - whole, warmups)
        }

        /** Hands [action] every whole line and the offset behind it; one line at a time is in memory, however long the run was. */
        private fun scan(folder: Path, action: (Trial, Long) -> Unit) {
            val file = folder.resolve(FILE)
            if (!file.exists()) return
            val line = ByteArrayOutputStream()
            var end = 0L
            file.inputStream().buffered(BUFFER).use { input ->
                while (true) {
                    val byte = input.read()
                    if (byte < 0) return
                    end++
                    if (byte != '\n'.code) {
                        line.write(byte)
                        continue
                    }
                    val text = line.toString(Charsets.UTF_8)
                    line.reset()
                    if (text.isNotBlank()) action(LabJson.decodeFromString<Trial>(text), end)
                }
            }
        }

        private const val BUFFER = 1 shl 16
    }
}
