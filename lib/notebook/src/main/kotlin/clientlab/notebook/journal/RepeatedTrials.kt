package clientlab.notebook.journal

import clientlab.*
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import kotlin.io.path.exists
import kotlin.io.path.writeText

/** The trials of a run that were measured again because other work on the machine disturbed them: nothing measured is lost. */
internal object RepeatedTrials {
    const val FILE: String = "repeated.jsonl"
    private const val COMPRESSED = "$FILE.gz"

    fun append(folder: Path, trials: List<Trial>): Unit =
        folder.resolve(FILE).writeText(trials.joinToString("") { LabJson.encodeToString(it) + "\n" }, options = arrayOf(CREATE, APPEND))

    fun read(folder: Path): List<Trial> = buildList {
        listOf(FILE, COMPRESSED).forEach { name ->
            eachLine(folder.resolve(name)) { line, _ -> add(LabJson.decodeFromString<Trial>(line)) }
        }
    }

    /** Writes them from the folder [from] to the folder [to], compressed, if there are any. */
    fun compress(from: Path, to: Path) {
        if (from.resolve(FILE).exists()) gzip(from.resolve(FILE), to.resolve(COMPRESSED))
    }
}
