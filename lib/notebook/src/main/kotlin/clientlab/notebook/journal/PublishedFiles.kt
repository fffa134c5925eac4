package clientlab.notebook.journal

import clientlab.notebook.home.*
import java.nio.file.Path
import java.nio.file.StandardOpenOption
import kotlin.io.path.invariantSeparatorsPathString
import kotlin.io.path.relativeTo
import kotlin.io.path.walk
import kotlin.io.path.writeText

/**
 * The SHA-256 of every published file, in `data/published/SHA256SUMS` and in the format of `sha256sum`. A test holds the files to it, and
 * its lines to the history: they are only added.
 */
internal object PublishedFiles {
    const val SUMS = "SHA256SUMS"

    /** Adds the files of the folder [run], which has just been published. */
    fun add(run: Path) {
        val top = run.parent
        val lines = run.walk().sorted().map { "${Sha256.of(it)}  ${it.relativeTo(top).invariantSeparatorsPathString}\n" }
        top.resolve(SUMS).writeText(lines.joinToString(""), options = arrayOf(StandardOpenOption.CREATE, StandardOpenOption.APPEND))
    }
}
