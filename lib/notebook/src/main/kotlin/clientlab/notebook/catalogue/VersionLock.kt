package clientlab.notebook.catalogue

import clientlab.*
import clientlab.client.*
import clientlab.notebook.home.*
import clientlab.transfer.*
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * `versions.lock.json`: the versions of clients' libraries that a fork can have. [libraries] has the artifacts, `group:name:version` each,
 * by [ClientInfo.library] and version; [sha256] has the hash of each one's jar.
 */
@Serializable
internal data class VersionLock(
    val schemaVersion: Int = 1,
    val libraries: Map<String, Map<String, List<String>>> = emptyMap(),
    val sha256: Map<String, String> = emptyMap(),
) {
    /** The versions of [library] that are here, the oldest first. */
    fun versions(library: String): List<String> = libraries[library].orEmpty().keys.sortedWith(VersionOrder)

    /** The artifacts of [library] in [version] with the hashes of their jars, or null if that version is not here. */
    fun artifacts(library: String, version: String): Map<String, String>? =
        libraries[library]?.get(version)?.associateWith { sha256.getValue(it) }

    /** This lock, in which [library] in [version] has [artifacts], without hashes that are no longer used. */
    fun with(library: String, version: String, artifacts: Map<String, String>): VersionLock {
        val versions = libraries[library].orEmpty() + (version to artifacts.keys.sorted())
        val all = libraries + (library to versions.toSortedMap(VersionOrder))
        val asked = all.values.flatMap { it.values.flatten() }.toSet()
        return copy(libraries = all.toSortedMap(), sha256 = (sha256 + artifacts).filterKeys { it in asked }.toSortedMap())
    }

    /** Writes it with one entry per line, sorted, so that a diff shows what changed. */
    fun write(file: Path = place): Unit = file.writeText(PRETTY.encodeToString(this) + "\n")

    companion object {
        /** Beside the adapters. The system property `lab.lock` names another file, as in tests. */
        val place: Path get() = System.getProperty("lab.lock")?.let(Path::of) ?: LabHome.root.resolve("lib/clients/versions.lock.json")

        /** The lock in [file]; an empty lock if there is no file. Fails with one sentence if the file cannot be read, and how to [mend] it. */
        fun read(file: Path = place, mend: String = "get it back from git"): VersionLock = try {
            if (file.exists()) LabJson.decodeFromString<VersionLock>(file.readText()) else VersionLock()
        } catch (e: SerializationException) {
            val why = e.message?.lineSequence()?.first()
            throw LabException("$file cannot be read as a lock of versions ($why): $mend.", e)
        }

        /** Where versions stand that were asked for on this machine and are not in the lock: beside their jars. */
        val keptPlace: Path get() = LabHome.jars.resolve("versions.json")

        /** Those versions. */
        fun kept(): VersionLock = read(keptPlace, "delete it, and it is made anew")

        private val PRETTY = Json {
            prettyPrint = true
            encodeDefaults = true
        }
    }
}

/**
 * This client in [version], as in `ktor-cio:2.3.12`: the same adapter on another classpath. Fails if the [lock] does not have it, and, unless
 * [evenBefore], if the client does not work in it.
 */
internal fun ClientInfo.inVersion(
    version: String,
    catalogue: CatalogueListing,
    lock: VersionLock,
    evenBefore: Boolean = false,
): ClientInfo {
    val artifacts = requireLocked(lock, version).keys.mapTo(HashSet()) { it.substringBeforeLast(':') }
    refuseUnless(evenBefore || worksIn(version)) {
        "$unversioned works from version $since of its library on and not in $version: ask for a newer one."
    }
    val base = catalogue.clients.firstOrNull { it.id == unversioned.substringBefore('@') }?.title ?: title
    val needs = catalogue.libraries[library] ?: LibraryNeeds(from = version)
    return copy(
        id = "$unversioned:$version",
        title = title.replaceFirst(base, "$base $version"),
        payloads = payloads.filter { it == Payload.Text || (needs.readsJson(version) && artifacts.containsAll(needs.json)) },
    )
}

/** Whether this client works in [version] of its library. */
internal fun ClientInfo.worksIn(version: String): Boolean = since?.let { VersionOrder.atLeast(version, it) } ?: true

/** The artifacts of this client's library in [version] with their hashes; fails with one sentence if the [lock] does not have them. */
internal fun ClientInfo.requireLocked(lock: VersionLock, version: String): Map<String, String> {
    refuseOfJava(library, title)
    return lock.require(library, version, unversioned)
}

/** This I/O API in [version] of its library, as in `ktor:2.3.12`: the same adapter on another classpath. Fails if the [lock] lacks it. */
internal fun IoApiInfo.inVersion(version: String, lock: VersionLock): IoApiInfo {
    requireLocked(lock, version)
    return copy(id = "${ClientInfo.unversioned(id)}:$version", title = "$title $version")
}

/** The artifacts of this I/O API's library in [version] with their hashes; fails with one sentence if the [lock] does not have them. */
internal fun IoApiInfo.requireLocked(lock: VersionLock, version: String): Map<String, String> {
    refuseOfJava(library, title)
    return lock.require(library, version, ClientInfo.unversioned(id))
}

private fun refuseOfJava(library: String, title: String) = refuseUnless(!library.startsWith("jdk:")) {
    "$title comes with Java and has no version of its own: ask for other Javas, as in experiment.copy(java = jdks())."
}

private fun VersionLock.require(library: String, version: String, id: String): Map<String, String> {
    (artifacts(library, version) ?: VersionLock.kept().artifacts(library, version))?.let { return it }
    val known = versions(library)
    val choice = if (known.isEmpty()) "none of it is" else "known are ${known.joinToString()}"
    throw LabException("$id $version is not in the lock: $choice, and ./lab lock $library $version adds one.")
}
