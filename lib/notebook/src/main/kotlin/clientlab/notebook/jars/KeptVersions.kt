package clientlab.notebook.jars

import clientlab.*
import clientlab.client.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.home.*
import java.nio.file.Path
import kotlin.io.path.createParentDirectories
import kotlin.io.path.exists
import kotlin.io.path.name

/**
 * Versions of libraries that are asked for on this machine and are not in the lock: other releases, a release beside another version of
 * coroutines, and a release in which a jar of the reader's own takes the place of one. They are resolved once, and kept with the hash of
 * each jar, so that a later run has the same ones.
 */
internal object KeptVersions {
    private val listing get() = CatalogueReader.catalogue

    /** The releases of [library] that are listed and new enough for its adapter, the oldest first; a pre-release is none. */
    fun listed(library: String): List<String> {
        val needs = needs(library)
        val modules = listOfNotNull(needs.former, library)
        val listed = modules.flatMap(Coursier::versions) + VersionLock.read().versions(library)
        return listed.distinct().filter { '-' !in it && VersionOrder.atLeast(it, needs.from) }.sortedWith(VersionOrder)
    }

    /** Sees that a fork can have [library] in [version]. Fails with one sentence if it cannot be had. */
    fun keep(library: String, version: String) {
        if (known(library, version) == null) {
            keep(
                library,
                version,
                Locking(listing.versions, listing.libraries).add(VersionLock(), library, version).artifacts(library, version)!!,
            )
        }
    }

    /** [library] in [version] beside [coroutines], as a version of its own. */
    fun withCoroutines(library: String, version: String, coroutines: String): String {
        val named = "$version-coroutines.$coroutines"
        if (known(library, named) == null) {
            keep(
                library,
                named,
                artifacts(library, version).entries.associate { (artifact, sha256) ->
                    if (artifact.startsWith(COROUTINES)) fetched("${artifact.substringBeforeLast(':')}:$coroutines") else artifact to sha256
                },
            )
        }
        return named
    }

    /** [library] in [version], in which [jar] takes the place of the jar whose name it begins with, as a version of its own. */
    fun withJar(library: String, version: String, jar: Path): String {
        refuseUnless(jar.exists()) { "There is no file $jar: give the jar that you built." }
        val artifacts = artifacts(library, version)
        val replaced = artifacts.keys.filter { jar.name.startsWith(it.name) }.maxByOrNull { it.name.length }
            ?: throw LabException(
                "${jar.name} takes the place of no jar of $library $version: let its name begin with that of one, which are " +
                    "${artifacts.keys.joinToString { it.name }}.",
            )
        val named = "$version-jar.${Sha256.of(jar).take(SHORT)}"
        if (known(library, named) == null) {
            val own = "${replaced.substringBeforeLast(':')}:$named"
            keep(library, named, artifacts - replaced + (own to JarStore().add(own, jar)))
        }
        return named
    }

    private fun known(library: String, version: String) =
        VersionLock.read().artifacts(library, version) ?: VersionLock.kept().artifacts(library, version)

    private fun artifacts(library: String, version: String): Map<String, String> {
        keep(library, version)
        return known(library, version)!!
    }

    private fun keep(library: String, version: String, artifacts: Map<String, String>) {
        val place = VersionLock.keptPlace.createParentDirectories()
        VersionLock.kept().with(library, version, artifacts).write(place)
    }

    private fun fetched(artifact: String): Pair<String, String> {
        val jar = Coursier.fetch(artifact) ?: throw LabException("$artifact has no jar.")
        return artifact to JarStore().add(artifact, jar)
    }

    private fun needs(library: String) = listing.libraries[library]
        ?: throw LabException("$library has no releases that can be asked for: ${listing.libraries.keys.joinToString()} have.")

    private val String.name get() = split(':')[1]

    private const val COROUTINES = "org.jetbrains.kotlinx:kotlinx-coroutines-"
    private const val SHORT = 8
}
