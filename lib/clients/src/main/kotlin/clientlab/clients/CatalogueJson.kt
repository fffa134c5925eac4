package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.recipes.*
import clientlab.ioapi.*
import clientlab.transfer.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.encodeToString
import kotlinx.serialization.json.Json
import java.nio.file.Path
import kotlin.io.path.createParentDirectories
import kotlin.io.path.readLines
import kotlin.io.path.writeText

/**
 * The catalogue as data, for code that lists clients and I/O APIs and has none of them on its classpath. [versions], by `group:name`, has
 * every library on a trial JVM's classpath, [libraries] what those need that also run in other versions than the lab's own, and [timeouts]
 * the time-outs that each offers.
 */
@Serializable
public data class CatalogueFile(
    val schemaVersion: Int,
    val clients: List<ClientInfo>,
    val versions: Map<String, String>,
    @SerialName("means") val ioApis: List<IoApiInfo> = emptyList(),
    val libraries: Map<String, LibraryNeeds> = emptyMap(),
    val timeouts: Map<String, Map<TimeoutKind, TimeoutSetting>> = emptyMap(),
    val recipes: Map<String, String> = emptyMap(),
)

/** The version of the shape of [CatalogueFile]. */
public const val CATALOGUE_SCHEMA: Int = 1

/** Reads the libraries that the build resolved from lines `group:name:type:version:scope`; it skips other text. */
internal fun versionsIn(lines: List<String>): Map<String, String> =
    lines
        .mapNotNull { RESOLVED.find(it) }
        .associate { match -> match.groupValues.let { (_, group, name, version) -> "$group:$name" to version } }
        .toSortedMap()

private val RESOLVED = Regex("^\\s*([\\w.-]+):([\\w.-]+):jar:(?:[\\w.-]+:)?([\\w.-]+):(?:compile|runtime)\\b")

/** Writes the catalogue; arguments: the list of resolved libraries, the folder of the recipes, and the file to write. Run by the build. */
public fun main(arguments: Array<String>) {
    require(
        arguments.size == 3,
    ) { "Three arguments are needed: the list of resolved libraries, the folder of recipes, and the file to write." }
    val (resolved, folder, target) = arguments.map(Path::of)
    val clients = Catalogue().entries.map { it.info }
    val ioApis = AllIoApis().entries.map { it.info }
    val versions = versionsIn(resolved.readLines())
    val recipes = Recipes.read(folder, Catalogue().recipes)
    val libraries = Catalogue().libraries + AllIoApis().libraries
    val file = CatalogueFile(CATALOGUE_SCHEMA, clients, versions, ioApis, libraries, Catalogue().timeouts, recipes)
    val json = Json {
        prettyPrint = true
        encodeDefaults = true
    }
    target.createParentDirectories().writeText(json.encodeToString(file) + "\n")
}
