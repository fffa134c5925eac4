package clientlab.notebook.journal

import clientlab.notebook.home.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.Serializable
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createParentDirectories
import kotlin.io.path.invariantSeparatorsPathString
import kotlin.io.path.isRegularFile
import kotlin.io.path.relativeTo
import kotlin.io.path.walk

/**
 * A client from a notebook cell as it is kept with a run, in `carried/<client>`, so that it can run again without the notebook.
 *
 * [java] is the oldest Java release on which it runs. [files] has the SHA-256 of every file there by its path, and [artifacts] that of its
 * libraries' jars by `group:name:version`, which are fetched when needed and not kept with the run.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
public data class SerializedFiles(
    val java: Int,
    val files: Map<String, String>,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val artifacts: Map<String, String> = emptyMap(),
) {
    /** The first file of [home] that is missing or changed; null if all are unchanged. */
    internal fun changedIn(home: Path): String? =
        files.keys.firstOrNull { name -> !home.resolve(name).let { it.isRegularFile() && Sha256.of(it) == files[name] } }

    /** Copies them from one run's folder to another, and keeps other files there. */
    internal fun copy(from: Path, to: Path): Unit =
        files.keys.forEach { from.resolve(it).copyTo(to.resolve(it).createParentDirectories(), overwrite = true) }

    internal companion object {
        const val FOLDER = "carried"

        /** The files in [home] now. */
        fun of(home: Path, java: Int, artifacts: Map<String, String>): SerializedFiles {
            val files = home.walk().associate { it.relativeTo(home).invariantSeparatorsPathString to Sha256.of(it) }
            return SerializedFiles(java, files.toSortedMap(), artifacts.toSortedMap())
        }
    }
}
