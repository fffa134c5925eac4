package clientlab.client

import clientlab.*
import kotlinx.serialization.Serializable

/**
 * What the clients of one library need from any version of it. The artifact of [ClientInfo.library] and the dependencies of its POM need no
 * entry.
 *
 * @property from the first version that the adapter runs against.
 * @property json artifacts beside it that read JSON, `group:name`, in the same version.
 * @property jsonFrom the first version in which the adapter reads JSON.
 * @property former the artifact, `group:name`, that the library was before [renamedIn].
 * @property renamedIn the first version under its name of today.
 */
@Serializable
public data class LibraryNeeds(
    val from: String,
    val json: List<String> = emptyList(),
    val jsonFrom: String = from,
    val former: String? = null,
    val renamedIn: String? = null,
) {
    /** The artifacts of [library] in [version], `group:name` each. */
    public fun artifacts(library: String, version: String): List<String> =
        listOf(former?.takeIf { renamedIn != null && !VersionOrder.atLeast(version, renamedIn) } ?: library) +
            if (readsJson(version)) json else emptyList()

    /** Whether the adapter reads JSON with [version]. */
    public fun readsJson(version: String): Boolean = VersionOrder.atLeast(version, jsonFrom)
}
