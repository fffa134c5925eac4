package clientlab.notebook.jars

import clientlab.LabException
import clientlab.client.LibraryNeeds
import clientlab.client.VersionOrder
import clientlab.notebook.catalogue.VersionLock
import clientlab.notebook.home.Sha256

/**
 * Finds what a fork needs for a library in another version, for the lock to name it.
 *
 * Beside the library's own wishes stands what core is compiled against: Kotlin's standard library and serialization as the lab has them,
 * and coroutines of [COROUTINES] or what the library wants where that is newer.
 *
 * @property own versions of the lab's own libraries, by `group:name`.
 * @property needs by library, what the adapters say.
 */
internal class Locking(
    private val own: Map<String, String>,
    private val needs: Map<String, LibraryNeeds>,
) {
    /** The libraries that [asked], a group or a `group:name`, means. */
    fun libraries(asked: String): List<String> =
        needs.keys.filter { it == asked || it.substringBefore(':') == asked }.ifEmpty {
            throw LabException("No client is made of '$asked': there are ${needs.keys.sorted().joinToString()}.")
        }

    /** [lock] with [library] in [version]; one sentence where it cannot be had, or is older than its adapter can use. */
    fun add(lock: VersionLock, library: String, version: String): VersionLock {
        val of = needs.getValue(library)
        if (!VersionOrder.atLeast(version, of.from)) {
            throw LabException("$library $version is older than ${of.from}, the first version that its adapter runs against.")
        }
        val asked = of.artifacts(library, version).map { "$it:$version" } + floors()
        val first = Coursier.resolve(asked, FORCED.associateWith(own::getValue), WITHOUT)
        val coroutines = first.first { it.startsWith("$CORE:") }.substringAfterLast(':')
        // Parts of coroutines of two versions are not made for each other, and Maven's files do not say so.
        val aligned = first.map { it.substringBeforeLast(':') }.filter { it.startsWith(PARTS) }.associateWith { coroutines }
        val all = Coursier.resolve(asked, FORCED.associateWith(own::getValue) + aligned, WITHOUT)
        val jars = all.mapNotNull { artifact -> Coursier.fetch(artifact)?.let { artifact to Sha256.of(it) } }.toMap()
        return lock.with(library, version, jars)
    }

    private fun floors() = OWN.map { "$it:${own.getValue(it)}" } + "$CORE:$COROUTINES"

    private companion object {
        private const val PARTS = "org.jetbrains.kotlinx:kotlinx-coroutines-"
        private const val CORE = "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm"

        /** What core is compiled against: the root pom has the same number. */
        private const val COROUTINES = "1.8.1"
        private const val STANDARD = "org.jetbrains.kotlin:kotlin-stdlib"
        private val FORCED = listOf(STANDARD)

        /** The last keeps a client that logs from printing a warning into the trial. */
        private val OWN = listOf(STANDARD, "org.jetbrains.kotlinx:kotlinx-serialization-json-jvm", "org.slf4j:slf4j-nop")

        /** Long part of the standard library itself. */
        private val WITHOUT = listOf("jdk7", "jdk8", "common").map { "$STANDARD-$it" }.toSet()
    }
}
