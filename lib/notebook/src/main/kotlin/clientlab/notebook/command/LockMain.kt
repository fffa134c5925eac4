package clientlab.notebook.command

import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.jars.*

/**
 * The main of `./lab lock` and `./lab prefetch --versions`: adds a version of a library, given as its group or `group:name`, to the lock;
 * or, given `--fetch`, fetches the jars of all that is locked.
 */
public fun main(arguments: Array<String>): Unit = orRefuse {
    if (arguments.toList() == listOf("--fetch")) fetchLocked() else lock(arguments[0], arguments[1])
}

/** Tries every library of a group, because some versions lack some libraries. Fails if all of them are missing. */
private fun lock(asked: String, version: String) {
    val locking = Locking(CatalogueReader.catalogue.versions, CatalogueReader.catalogue.libraries)
    var lock = VersionLock.read()
    var added = 0
    val libraries = locking.libraries(asked)
    for (library in libraries) {
        try {
            lock = locking.add(lock, library, version)
            println("$library $version is locked with ${lock.artifacts(library, version).orEmpty().size} jars.")
            added++
        } catch (refused: LabException) {
            if (libraries.size == 1) throw refused
            println("$library $version is left out: ${refused.message}")
        }
    }
    if (added == 0) throw LabException("Nothing of $asked $version could be locked.")
    lock.write()
}

private fun fetchLocked() {
    val lock = VersionLock.read()
    val jars = JarStore().jars(lock.sha256)
    val versions = lock.libraries.values.sumOf { it.size }
    println("${jars.size} jars of $versions locked versions are here, each with the hash that the lock names.")
}
