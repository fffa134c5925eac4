package clientlab.probe

import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/** The text files of Linux below [root], such as `/proc`. An unreadable file is no error: other systems and containers simply lack it. */
public class SystemFiles(private val root: Path) {
    /** The text of [path], as in `proc/loadavg`, or null if it cannot be read here. */
    public fun text(path: String): String? =
        try {
            // Names of processes may contain any bytes.
            root.resolve(path).readText(Charsets.ISO_8859_1)
        } catch (_: IOException) {
            null
        }

    /** The lines of [path]; none if it cannot be read here. */
    public fun lines(path: String): List<String> = text(path)?.lines()?.filter { it.isNotEmpty() }.orEmpty()

    /** The names in the folder [path]; none if it cannot be read here. */
    public fun names(path: String): List<String> =
        try {
            root.resolve(path).listDirectoryEntries().map { it.name }
        } catch (_: IOException) {
            emptyList()
        }

    public companion object {
        /** Those of this machine. */
        public val here: SystemFiles = SystemFiles(Path.of("/"))
    }
}

/** The number of the first line `name 12` or `name: 12 kB` with this [name]; null if there is none. */
internal fun List<String>.number(name: String): Long? =
    firstOrNull { it.startsWith(name) && it.getOrNull(name.length) in NAME_ENDS }?.filter(Char::isDigit)?.toLongOrNull()

/** The number of a line in KiB, in bytes. */
internal fun List<String>.bytes(name: String): Long? = number(name)?.times(KIB)

private val NAME_ENDS = setOf(' ', ':')
private const val KIB = 1024
