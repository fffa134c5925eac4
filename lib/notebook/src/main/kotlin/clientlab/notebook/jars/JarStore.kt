package clientlab.notebook.jars

import clientlab.*
import clientlab.notebook.home.*
import java.io.IOException
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.moveTo
import kotlin.io.path.name

/** Where the jar of an artifact, `group:name:version`, comes from; null if the artifact has none, for example if it only lists versions. */
internal fun interface JarSource {
    fun fetch(artifact: String): Path?
}

/**
 * The jars of locked artifacts in one folder. Each has exactly the hash in the lock: a missing jar is fetched from [source] and checked
 * before it is kept, and each use checks it again, which takes less than a tenth of a second.
 */
internal class JarStore(private val folder: Path = LabHome.jars, private val source: JarSource = Coursier) {
    /** The jars of [artifacts], given with their SHA-256, in that order. Fails with one sentence if a hash differs. */
    fun jars(artifacts: Map<String, String>): List<Path> = artifacts.map { (artifact, sha256) -> jar(artifact, sha256) }

    /** Keeps the fetched file [jar] as that of [artifact], and returns its SHA-256. */
    fun add(artifact: String, jar: Path): String {
        val sha256 = Sha256.of(jar)
        val kept = folder.resolve(fileName(artifact))
        if (!kept.exists()) keep(jar, kept)
        return sha256
    }

    private fun jar(artifact: String, sha256: String): Path {
        val kept = folder.resolve(fileName(artifact))
        if (kept.exists()) {
            if (Sha256.of(kept) == sha256) return kept
            throw LabException(
                "${kept.name} in ${kept.parent} is not the jar that was locked, for its SHA-256 differs: delete it, and it is fetched again.",
            )
        }
        val fetched =
            source.fetch(artifact) ?: throw LabException("$artifact has no jar, so it should not be locked: lock its library again.")
        if (Sha256.of(fetched) != sha256) {
            throw LabException(
                "What was fetched for $artifact is not the jar that was locked, for its SHA-256 differs: delete $fetched and try again, " +
                    "and if it differs again, trust neither of them.",
            )
        }
        return keep(fetched, kept)
    }

    private fun keep(fetched: Path, kept: Path): Path {
        val half = kept.resolveSibling("${kept.name}.${ProcessHandle.current().pid()}.half")
        try {
            kept.parent.createDirectories()
            fetched.copyTo(half, overwrite = true)
            return half.moveTo(kept, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE)
        } catch (e: IOException) {
            half.deleteIfExists()
            throw LabException("${kept.name} could not be kept in ${kept.parent} (${e.message}): make room there.", e)
        }
    }

    companion object {
        /** The file name of the jar of [artifact], here and in a manifest. */
        fun fileName(artifact: String): String = artifact.split(':').let { (_, name, version) -> "$name-$version.jar" }
    }
}
