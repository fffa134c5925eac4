package clientlab.notebook.bisect

import clientlab.*
import clientlab.client.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.fork.*
import clientlab.notebook.jars.*
import clientlab.notebook.run.*
import java.time.LocalDate

/**
 * One of the states that a bisection looks at, in their order: a client in a release of its library, on a Java, or beside a version of
 * coroutines.
 *
 * @property name what the answer calls it, as in `okhttp 5.3.2`.
 */
public class Candidate internal constructor(
    public val name: String,
    internal val java: Jdk? = null,
    private val day: () -> LocalDate? = { null },
    private val made: () -> ClientInfo,
) {
    /** The client; its jars are fetched when it is first asked for. Fails with one sentence if they cannot be had. */
    internal val client: ClientInfo by lazy(made)

    /** When it was released, or null if neither its signature nor the place where it comes from tells that. */
    internal val released: LocalDate? get() = runCatching(day).getOrNull()

    override fun toString(): String = name
}

/**
 * [client] in every release of its library that can be had, the oldest first: those that are listed where jars come from, beside those in the
 * lock. Pre-releases are left out. [from] and [to] are the first and the last one of interest. A release is fetched when it is looked at. Those
 * in which the client is known not to work are among them, because when that changed may be the question.
 */
public fun releases(client: String, from: String? = null, to: String? = null): List<Candidate> {
    val info = clientOrNull(client) ?: clients(client).single()
    val all = KeptVersions.listed(info.library)
    listOfNotNull(from, to).firstOrNull { it !in all }?.let {
        throw LabException("There is no release $it of ${info.library}: there are ${all.joinToString()}.")
    }
    val wanted = all.filter { (from == null || VersionOrder.atLeast(it, from)) && (to == null || VersionOrder.atLeast(to, it)) }
    return wanted.map { version ->
        Candidate("${info.id} $version", day = { Coursier.released("${info.library}:$version") }) {
            KeptVersions.keep(info.library, version)
            info.inVersion(version, CatalogueReader.catalogue, VersionLock.read(), evenBefore = true)
        }
    }
}

/** [client] on every Java of 21 or newer that is here, the oldest first, or on [releases]. */
public fun javas(client: String, vararg releases: Int): List<Candidate> =
    JavaHomes().let { homes ->
        jdks(*releases).map { java -> Candidate("Java ${java.version}", java, { homes.released(java) }) { clients(client).single() } }
    }

/**
 * [client] in one release of its library, the lab's own if its id names none, beside each of [versions] of Kotlin's coroutines, the oldest
 * first. The modules of coroutines that the release brings have that version together.
 */
public fun coroutines(client: String, vararg versions: String): List<Candidate> {
    refuseUnless(versions.isNotEmpty()) {
        "No version of coroutines is named: give some, as in coroutines(\"ktor-cio\", \"1.10.2\", \"1.11.0\")."
    }
    val info = clients(client).single()
    val release = info.version ?: CatalogueReader.catalogue.versions.getValue(info.library)
    return versions.sortedWith(VersionOrder).map { version ->
        Candidate("coroutines $version", day = { Coursier.released("$COROUTINES_CORE:$version") }) {
            clients("${info.unversioned}:${KeptVersions.withCoroutines(info.library, release, version)}").single()
        }
    }
}
