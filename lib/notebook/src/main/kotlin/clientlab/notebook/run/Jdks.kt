package clientlab.notebook.run

import clientlab.*
import clientlab.notebook.fork.*

/**
 * Every Java of 21 or newer on this machine, the oldest first, or those of [releases], as in `experiment.copy(java = jdks(21, 25))`, which
 * runs each treatment on each of them. Fails with one sentence if a release is not here.
 */
public fun jdks(vararg releases: Int): List<Jdk> {
    val homes = JavaHomes()
    val found = homes.found.keys.toList()
    if (releases.isEmpty()) return found
    releases.firstOrNull { release -> found.none { it.feature == release } }?.let {
        throw LabException("There is no Java $it on this machine: there is ${homes.listed()}; install it, or leave it out.")
    }
    return found.filter { it.feature in releases }
}
