package clientlab

import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import java.io.Serializable as JavaSerializable

/**
 * The description of a client: plain data, so that a notebook lists clients without their libraries on its classpath.
 *
 * @property id the one spelling everywhere: `ktor-cio`, with another configuration `ktor-cio@article`, with another version of the library
 *   `ktor-cio@article:2.3.12`.
 * @property library the artifact whose version the manifest keeps, `group:name`.
 * @property settings the settings that differ from the library's defaults, each with its reason.
 * @property limit the most requests that the client holds in flight, or null if every limit is opened.
 * @property callFrames prefixes of class names that are on a thread's stack only while a request is in progress there.
 * @property jvmArgs options of the trial JVM that belong to the configuration; `{inFlight}` stands for the level.
 * @property threadPerRequest whether each request holds a platform thread while it waits for its answer.
 * @property webSockets whether it opens WebSockets.
 * @property since the first version of the library in which this configuration works, or null if it works in every one.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
public data class ClientInfo(
    val id: String,
    val title: String,
    val library: String,
    val settings: String,
    val limit: Int? = null,
    @SerialName("leaves") val expectedLeftovers: List<Leftover> = emptyList(),
    val owners: List<ThreadOwner> = emptyList(),
    val callFrames: List<String> = emptyList(),
    val jvmArgs: List<String> = emptyList(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val payloads: List<Payload> = listOf(Payload.Text),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val protocols: List<Protocol> = listOf(Protocol.Http1),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val threadPerRequest: Boolean = false,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val since: String? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val webSockets: Boolean = false,
) : JavaSerializable {
    init {
        refuseUnless(ID.matches(id)) {
            "'$id' is no client id: lower-case letters, digits and dashes, and perhaps @configuration and :version."
        }
        refuseUnless(limit == null || limit >= 1) { "A limit of $limit for $id: a client holds at least 1 request in flight." }
    }

    /** The part of the id after `@`, or [OPENED]. */
    public val configuration: String get() = unversioned.substringAfter('@', OPENED)

    public val unversioned: String get() = unversioned(id)

    /** The version of the library that the id names; null is the one that the lab was built with. */
    public val version: String? get() = versionOf(id)

    override fun toString(): String = id

    public companion object {
        /** The configuration in which every limit is opened, per route too. */
        public const val OPENED: String = "opened"

        /** The client [id] without a version, as the catalogue spells it. */
        public fun unversioned(id: String): String = id.substringBefore(':')

        public fun versionOf(id: String): String? = id.substringAfter(':', "").ifEmpty { null }

        private val ID = Regex("[a-z0-9]+(-[a-z0-9]+)*(@[a-z0-9]+(-[a-z0-9]+)*)?(:[0-9][A-Za-z0-9]*([.-][A-Za-z0-9]+)*)?")
    }
}

/**
 * At most [atMost] threads, and [connections] with them, that outlive a closed session because the library works so. They are no leak.
 *
 * @property thread a regular expression that matches the whole thread name.
 * @property why what keeps them, and how long.
 */
@Serializable
public data class Leftover(val thread: String, val why: String, val atMost: Int = 1, val connections: Int = 0) : JavaSerializable

/** A thread whose whole name matches the regular expression [thread] belongs to [owner], a library or pool as legends name it. */
@Serializable
public data class ThreadOwner(val thread: String, val owner: String) : JavaSerializable

/** A reader's own client, written in a notebook cell; the code of [client] is serialized into the forks. */
public interface OwnClient {
    public val info: ClientInfo
    public val client: JavaSerializable
}
