package clientlab.notebook.journal

import clientlab.*
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.RandomAccessFile
import java.nio.file.Path
import java.nio.file.StandardOpenOption
import java.util.zip.GZIPInputStream
import java.util.zip.GZIPOutputStream
import kotlin.io.path.exists
import kotlin.io.path.extension
import kotlin.io.path.inputStream
import kotlin.io.path.name
import kotlin.io.path.outputStream

/** The trials of one run in their order: one line per trial in `trials.jsonl`, on the disk before the next trial begins. */
internal class Journal(private val folder: Path) : AutoCloseable {
    // Not a channel, because an interrupt would close it during a write.
    private val file = RandomAccessFile(folder.resolve(FILE).toFile(), "rw").apply { seek(length()) }

    /**
     * Writes the warm-up and the measurement of one trial in one write. If that fails, removes the partial text and throws a
     * [LabException].
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
                "A trial could not be written to $folder (${e.message}), so the run ends here; the trials before it are kept: make room, " +
                    "then go on with resume(\"${folder.name}\").",
                e,
            )
        }
    }

    override fun close(): Unit = file.close()

    /** What a killed run left after its last whole trial: [torn] bytes of a line, and the lines of [warmups] without a measured one. */
    internal data class Cut(val torn: Long, val warmups: Int) {
        /** Sentences about what was cut off. */
        val notes: List<String>
            get() = listOfNotNull(
                "A torn line of $torn bytes was cut off the journal.".takeIf { torn > 0 },
                "The warm-up of a trial that has no measurement was cut off the journal.".takeIf { warmups > 0 },
            )
    }

    companion object {
        const val FILE = "trials.jsonl"

        /** The same lines in a published run: a tenth of the room. */
        const val COMPRESSED = "$FILE.gz"

        /** The trials in [folder]. An incomplete last line of a killed run is ignored. */
        fun read(folder: Path): List<Trial> = buildList { each(folder) { add(it) } }

        /** Gives the trials in [folder] to [action] one by one, in the order of [read], and keeps none in memory. */
        fun each(folder: Path, action: (Trial) -> Unit): Unit =
            listOf(FILE, COMPRESSED).forEach { name ->
                eachLine(folder.resolve(name)) { line, _ -> action(LabJson.decodeFromString<Trial>(line)) }
            }

        /** Writes the trials in [from] to the folder [to], compressed. */
        fun compress(from: Path, to: Path): Unit = gzip(from.resolve(FILE), to.resolve(COMPRESSED))

        /**
         * Cuts off what follows the last measured trial in [folder], because an unfinished trial runs again. Gives every measured trial to
         * [kept].
         */
        fun mend(folder: Path, kept: (Trial) -> Unit): Cut {
            val file = folder.resolve(FILE)
            if (!file.exists()) return Cut(0, 0)
            var whole = 0L
            var good = 0L
            var warmups = 0
            eachLine(file) { line, end ->
                val trial = LabJson.decodeFromString<Trial>(line)
                whole = end
                if (trial.warmup) {
                    warmups++
                } else {
                    kept(trial)
                    good = end
                    warmups = 0
                }
            }
            return RandomAccessFile(file.toFile(), "rw").use {
                val torn = it.length() - whole
                it.setLength(good)
                it.fd.sync()
                Cut(torn, warmups)
            }
        }
    }
}

/** Writes what is in [from] to the new file [to], compressed. */
internal fun gzip(from: Path, to: Path) {
    GZIPOutputStream(to.outputStream(StandardOpenOption.CREATE_NEW)).use { compressed ->
        from.inputStream().use { it.transferTo(compressed) }
    }
}

/**
 * Gives [action] every whole line of [file], compressed or not, and the offset after it; none if there is no such file. It keeps one line in
 * memory, however long the run is.
 */
internal fun eachLine(file: Path, action: (String, Long) -> Unit) {
    if (!file.exists()) return
    val line = ByteArrayOutputStream()
    var end = 0L
    val opened = file.inputStream().let { if (file.extension == "gz") GZIPInputStream(it, BUFFER) else it }
    opened.buffered(BUFFER).use { input ->
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
            if (text.isNotBlank()) action(text, end)
        }
    }
}

private const val BUFFER = 1 shl 16
