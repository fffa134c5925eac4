package clientlab.notebook.catalogue

import clientlab.*
import clientlab.client.*
import clientlab.notebook.home.*
import clientlab.transfer.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** The catalogue as the build wrote it: every client, the version of every library, and which libraries may have another version. */
@Serializable
internal data class CatalogueListing(
    val clients: List<ClientInfo>,
    val versions: Map<String, String> = emptyMap(),
    @SerialName("means") val ioApis: List<IoApiInfo> = emptyList(),
    val libraries: Map<String, LibraryNeeds> = emptyMap(),
    val timeouts: Map<String, Map<TimeoutKind, TimeoutSetting>> = emptyMap(),
    val recipes: Map<String, String> = emptyMap(),
)

internal object CatalogueReader {
    val catalogue: CatalogueListing by lazy {
        val json = CatalogueReader::class.java.getResource("/clientlab/clients.json")?.readText()
        LabJson.decodeFromString(json ?: throw LabException("This build of the lab lists no clients: build it again with ./lab run."))
    }
}

/**
 * Clients of the catalogue by id, as in `clients("retrofit", "ktor-cio")`, in that order; if none is named, all with every limit opened.
 * `id@default` is a client with its library's defaults, `id@article` one as source 000 set it. Fails for an unknown id, and suggests the
 * nearest one.
 */
public fun clients(vararg ids: String): List<ClientInfo> {
    val known = CatalogueReader.catalogue.clients
    if (ids.isEmpty()) return known.filter { it.configuration == ClientInfo.OPENED }
    return ids.map { id ->
        val plain = ClientInfo.unversioned(id)
        val client = known.firstOrNull { it.id == plain } ?: throw LabException("No client '$id': ${meant(plain, known.map { it.id })}.")
        ClientInfo.versionOf(id)?.let { client.inVersion(it, CatalogueReader.catalogue, VersionLock.read()) } ?: client.inOwnVersion()
    }
}

/** This client, if it works in the lab's own version of its library; fails with one sentence if not. */
private fun ClientInfo.inOwnVersion(): ClientInfo {
    val own = CatalogueReader.catalogue.versions[library] ?: return this
    if (worksIn(own)) return this
    val works = VersionLock.read().versions(library).lastOrNull(::worksIn)
    val how = works?.let { "ask for one that does, as in clients(\"$id:$it\")" } ?: "./lab lock $library $since adds one"
    throw LabException("$id works from version $since of its library on, and the lab's own is $own: $how.")
}

/** The client of the catalogue with this id, or null. */
public fun clientOrNull(id: String): ClientInfo? = CatalogueReader.catalogue.clients.firstOrNull { it.id == id }

/** This workload with the settings that its clients have now, because those are what will run. */
internal fun Workload.asSetNow(): Workload =
    if (clients.isEmpty()) this else withClients(clients.map { it.copy(settings = clientOrNull(it.unversioned)?.settings ?: it.settings) })

/**
 * These clients in each of [versions] of their libraries, as in `clients("ktor-cio").versions("2.3.12", "3.5.2")`, or in every locked
 * version. The adapter is the same, and each jar is checked against its hash. The id ends with the version, `ktor-cio:2.3.12`. Fails for a
 * version that is not in the lock; `versions()` lists those that are.
 */
public fun List<ClientInfo>.versions(vararg versions: String): List<ClientInfo> {
    val lock = VersionLock.read()
    return flatMap { client ->
        val asked = versions.toList().ifEmpty { lock.versions(client.library).filter(client::worksIn) }
        asked.map { client.inVersion(it, CatalogueReader.catalogue, lock) }
    }
}

/** The clients that have other versions of their libraries, with their dependencies: one row per version. */
public fun versions(): AnyFrame {
    val lock = VersionLock.read()
    val opened = CatalogueReader.catalogue.clients.filter { it.configuration == ClientInfo.OPENED }
    val rows = opened.flatMap { client -> lock.versions(client.library).map { client to it } }
    val artifacts = rows.map { (client, version) -> lock.artifacts(client.library, version).orEmpty().keys }

    fun comes(along: Regex) = artifacts.map { all -> all.firstOrNull { along in it }?.substringAfterLast(':') }
    return dataFrameOf(
        rows.map { (client, _) -> client.id }.toColumn("client"),
        rows.map { (_, version) -> version }.toColumn("version"),
        comes(Regex(":kotlinx-coroutines-core-jvm:")).toColumn("coroutines"),
        comes(Regex(":okhttp(-jvm)?:")).toColumn("okhttp"),
        artifacts.map { it.size }.toColumn("jars"),
    )
}

/** The name and version of [library], `group:name`. */
private fun named(library: String) = "${library.substringAfter(':')} ${CatalogueReader.catalogue.versions[library].orEmpty()}".trim()

private fun meant(id: String, known: List<String>): String =
    didYouMean(id, known, otherwise = "give one such as 'retrofit' or 'ktor-cio'; ") + "catalogue() lists all there are"

/** The catalogue as a table: id, name, library with version, the most requests that it holds in flight, its protocols, and its settings. */
public fun catalogue(): AnyFrame {
    val clients = CatalogueReader.catalogue.clients
    return dataFrameOf(
        clients.map { it.id }.toColumn("client"),
        clients.map { it.title }.toColumn("name"),
        clients.map { named(it.library) }.toColumn("library"),
        clients.map { it.limit?.toString() ?: "as asked" }.toColumn("holdsInFlight"),
        clients.map { it.protocols.joinToString() }.toColumn("protocols"),
        clients.map { it.settings }.toColumn("settings"),
    )
}

/**
 * The time-outs that each library offers, as a table: one row per library, one column per [TimeoutKind]. A cell has the name of the setting,
 * and how long it is by default; it is empty if the library offers no such time-out. An opened client has all of them set.
 */
public fun timeouts(): AnyFrame {
    val offered = CatalogueReader.catalogue.timeouts
    val clients = clients().groupBy { it.library }
    return dataFrameOf(
        listOf(clients.values.map { same -> same.joinToString { it.id } }.toColumn("clients")) +
            TimeoutKind.entries.map { kind ->
                clients.keys.map { library -> offered[library]?.get(kind)?.toString().orEmpty() }.toColumn(kind.name.lowercase())
            },
    )
}

/**
 * The Kotlin that builds [client] with its limits raised and a deadline for a call, as in `println(recipe("okhttp"))`. The tests of the lab
 * run the same code. Fails for a client that has none, and lists those that do.
 */
public fun recipe(client: String): String {
    val known = CatalogueReader.catalogue
    val library = clientOrNull(client)?.library
    return known.recipes[library] ?: throw LabException(
        "There is no recipe for '$client': there is one for ${clients().filter { it.library in known.recipes }.joinToString { it.id }}.",
    )
}

/**
 * I/O APIs by id, as in `ioApis("stream", "ktor")`, in the order given; all if none is named. `ktor:2.3.12` is one in another version of its
 * library. Fails for an unknown id, and lists all.
 */
public fun ioApis(vararg ids: String): List<IoApiInfo> {
    val known = CatalogueReader.catalogue.ioApis
    if (ids.isEmpty()) return known
    return ids.map { id ->
        val plain = ClientInfo.unversioned(id)
        val api = known.firstOrNull { it.id == plain }
            ?: throw LabException("No means '$id'. Known means: ${known.joinToString { it.id }}.")
        ClientInfo.versionOf(id)?.let { api.inVersion(it, VersionLock.read()) } ?: api
    }
}

/** These I/O APIs in each of [versions] of their libraries, or in every locked one, as in `ioApis("ktor").versions("2.3.12", "3.5.2")`. */
@JvmName("ioApiVersions")
public fun List<IoApiInfo>.versions(vararg versions: String): List<IoApiInfo> {
    val lock = VersionLock.read()
    return flatMap { api -> versions.toList().ifEmpty { lock.versions(api.library) }.map { api.inVersion(it, lock) } }
}

/** These I/O APIs as a table: id, what each calls, and what it can do. */
public fun List<IoApiInfo>.table(): AnyFrame = dataFrameOf(
    map { it.id }.toColumn("means"),
    map { named(it.library) }.toColumn("library"),
    map { it.how }.toColumn("how"),
    map { it.operations.joinToString() }.toColumn("operations"),
)
