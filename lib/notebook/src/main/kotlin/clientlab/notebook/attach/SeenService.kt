package clientlab.notebook.attach

import kotlinx.serialization.Serializable

/** What the agent saw of a service, as it wrote it. */
@Serializable
internal data class SeenService(
    val error: String? = null,
    val java: String = "",
    val command: String = "",
    val uptimeMs: Long = 0,
    val libraries: List<SeenLibrary> = emptyList(),
    val threads: List<SeenThreads> = emptyList(),
    val limits: List<SeenLimit> = emptyList(),
    val numbers: List<SeenNumber> = emptyList(),
    val objects: Int = 0,
    val whole: Boolean = true,
    val tookMs: Long = 0,
)

@Serializable
internal data class SeenLibrary(val name: String, val version: String)

/** So many threads on one stack; [name] is that of one of them. */
@Serializable
internal data class SeenThreads(val name: String, val state: String, val frames: List<String>, val count: Int)

/** A number in a field that is named like a limit. */
@Serializable
internal data class SeenNumber(val path: String, val value: Long)

/** A limit that an object of the service holds: how much of it is taken, if the object says so, and how many wait. */
@Serializable
internal data class SeenLimit(val type: String, val setting: String, val limit: Int, val used: Int?, val waiting: Int, val path: String) {
    /** Whether nothing more gets through. */
    val full: Boolean get() = if (used == null) waiting > 0 else used >= limit && limit > 0

    /** What would let all of those through that are there now. */
    val enough: Int get() = (used ?: 0) + waiting

    /** The object that somebody made it with, and how it is reached from there. */
    val owner: String get() = path.replace(" > ", " → ")
}
