package clientlab.attach

import kotlinx.serialization.Serializable

/** What the agent saw of a service, as it wrote it. */
@Serializable
public data class SeenService(
    public val error: String? = null,
    public val java: String = "",
    public val command: String = "",
    public val uptimeMs: Long = 0,
    public val libraries: List<SeenLibrary> = emptyList(),
    public val threads: List<SeenThreads> = emptyList(),
    public val limits: List<SeenLimit> = emptyList(),
    public val numbers: List<SeenNumber> = emptyList(),
    public val objects: Int = 0,
    public val whole: Boolean = true,
    public val tookMs: Long = 0,
)

@Serializable
public data class SeenLibrary(val name: String, val version: String)

/** So many threads on one stack; [name] is that of one of them, and may be empty if they are [virtual]. */
@Serializable
public data class SeenThreads(
    val name: String,
    val state: String,
    val frames: List<String>,
    val count: Int,
    val virtual: Boolean = false,
)

/** A number in a field that is named like a limit. */
@Serializable
public data class SeenNumber(val path: String, val value: Long)

/** A limit that an object of the service holds: how much of it is taken, if the object says so, and how many wait. */
@Serializable
public data class SeenLimit(val type: String, val setting: String, val limit: Int, val used: Int?, val waiting: Int, val path: String) {
    /** Whether nothing more gets through. */
    public val full: Boolean get() = if (used == null) waiting > 0 else used >= limit && limit > 0

    /** What would let all of those through that are there now. */
    public val enough: Int get() = (used ?: 0) + waiting

    /** The object that somebody made it with, and how it is reached from there. */
    public val owner: String get() = path.replace(" > ", " → ")
}
