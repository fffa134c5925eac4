package clientlab.notebook.jars

import clientlab.*
import clientlab.client.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.home.*

/**
 * Finds the jars that a fork needs for a library in another version: its dependencies, Kotlin's standard library and serialization in the
 * lab's versions, and coroutines of [COROUTINES] or newer. [own] has the lab's versions, [needs] the adapters' requirements.
 */
internal class Locking(private val own: Map<String, String>, private val needs: Map<String, LibraryNeeds>) {
    /** The libraries that [asked] stands for, a group or a `group:name`. */
    fun libraries(asked: String): List<String> = needs.keys.filter { it == asked || it.substringBefore(':') == asked }.ifEmpty {
        throw LabException("No client is made of '$asked': there are ${needs.keys.sorted().joinToString()}.")
    }

    /**
     * [lock] with [library] in [version]; fails with one sentence if it does not exist, or is too old for its adapter. If only the artifacts
     * that read JSON cannot be had, it is locked without them and its clients read text alone.
     */
    fun add(lock: VersionLock, library: String, version: String): VersionLock {
        val of = needs.getValue(library)
        if (!VersionOrder.atLeast(version, of.from)) {
            throw LabException("$library $version is older than ${of.from}, the first version that its adapter runs against.")
        }
        val json = of.json.toSet().takeIf { of.readsJson(version) }.orEmpty()
        val jars = try {
            jars(of.artifacts(library, version), version)
        } catch (refused: LabException) {
            if (json.isEmpty()) throw refused
            jars(of.artifacts(library, version) - json, version)
        }
        return lock.with(library, version, jars)
    }

    /** The [artifacts] in [version] with all that they need, and the hash of each jar. */
    private fun jars(artifacts: List<String>, version: String): Map<String, String> {
        val asked = artifacts.map { "$it:$version" } + OWN.map { "$it:${own.getValue(it)}" } + "$COROUTINES_CORE:$COROUTINES"
        val forced = mapOf(STANDARD to own.getValue(STANDARD))
        val first = Coursier.resolve(asked, forced, WITHOUT)
        val coroutines = first.first { it.startsWith("$COROUTINES_CORE:") }.substringAfterLast(':')
        // Modules of coroutines must have the same version, and their POMs do not say so.
        val aligned = first.map { it.substringBeforeLast(':') }.filter { it.startsWith(PARTS) }.associateWith { coroutines }
        val all = Coursier.resolve(asked, forced + aligned, WITHOUT)
        return all.mapNotNull { artifact -> Coursier.fetch(artifact)?.let { artifact to Sha256.of(it) } }.toMap()
    }

    private companion object {
        private const val PARTS = "org.jetbrains.kotlinx:kotlinx-coroutines-"

        /** The version that core is compiled against; the root POM has the same number. */
        private const val COROUTINES = "1.8.1"
        private const val STANDARD = "org.jetbrains.kotlin:kotlin-stdlib"

        /** The last one prevents the warning of a logging library that has no backend. */
        private val OWN = listOf(STANDARD, "org.jetbrains.kotlinx:kotlinx-serialization-json-jvm", "org.slf4j:slf4j-nop")

        /** Modules that the standard library has contained for a long time. */
        private val WITHOUT = listOf("jdk7", "jdk8", "common").map { "$STANDARD-$it" }.toSet()
    }
}

/** The module whose version is the version of coroutines. */
internal const val COROUTINES_CORE: String = "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm"
