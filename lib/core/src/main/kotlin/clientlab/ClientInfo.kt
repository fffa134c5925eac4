package clientlab

import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import java.io.Serializable as JavaSerializable

/**
 * The description of a client. It is plain data, so that a notebook can list clients without their libraries on its classpath.
 *
 * @property id the one spelling in cell, column, legend and claim: `ktor-cio`, or `ktor-cio@article` for a configuration other than
 *   every limit opened; behind a colon a version of the library other than the lab's own, as in `ktor-cio@article:2.3.12`.
 * @property title the name a reader knows: `Ktor CIO`.
 * @property library the artifact whose version the manifest keeps, `group:name`.
 * @property settings the settings that differ from the library's defaults, each with its reason.
 * @property limit the most requests that the client holds in flight, or null if every limit is opened.
 * @property expectedLeftovers the threads that may outlive a closed session.
 * @property owners the owners of the client's threads, by their names.
 * @property callFrames prefixes of class names that are on a thread's stack only while a request is in progress there.
 * @property jvmArgs options of the trial JVM that belong to the configuration; `{inFlight}` stands for the level.
 * @property payloads the payloads that it can read.
 * @property protocols the protocols that it can speak.
 * @property threadPerRequest whether each request holds a platform thread while it waits for its answer.
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
) : JavaSerializable {
    init {
        refuseUnless(
            ID.matches(id),
        ) { "'$id' is no client id: lower-case letters, digits and dashes, and perhaps @configuration and :version." }
        refuseUnless(limit == null || limit >= 1) { "A limit of $limit for $id: a client holds at least 1 request in flight." }
    }

    /** The part of the id after `@`, or `opened`. */
    public val configuration: String get() = unversioned.substringAfter('@', OPENED)

    /** The id as the catalogue spells it, without a version. */
    public val unversioned: String get() = unversioned(id)

    /** The version of the library that the id names; null is the one that the lab was built with. */
    public val version: String? get() = versionOf(id)

    override fun toString(): String = id

    public companion object {
        /** The configuration in which every limit is opened, per route too. */
        public const val OPENED: String = "opened"

        /** The client [id] without a version, as the catalogue spells it. */
        public fun unversioned(id: String): String = id.substringBefore(':')

        /** The version that the client [id] names, or null. */
        public fun versionOf(id: String): String? = id.substringAfter(':', "").ifEmpty { null }

        private val ID = Regex("[a-z0-9]+(-[a-z0-9]+)*(@[a-z0-9]+(-[a-z0-9]+)*)?(:[0-9][A-Za-z0-9]*([.-][A-Za-z0-9]+)*)?")
    }
}

/**
 * Threads and connections that stay for some time after a session was closed, because the library works so. They are not a leak.
 *
 * @property thread a regular expression that matches the whole thread name.
 * @property why the reason: what keeps it, and how long.
 * @property atMost how many threads may stay.
 * @property connections how many connections may stay open with them.
 */
@Serializable
public data class Leftover(
    val thread: String,
    val why: String,
    val atMost: Int = 1,
    val connections: Int = 0,
) : JavaSerializable

/**
 * A rule that finds the owner of a thread by its name.
 *
 * @property thread a regular expression that matches the whole thread name.
 * @property owner the library or pool, as in a figure's legend.
 */
@Serializable
public data class ThreadOwner(val thread: String, val owner: String) : JavaSerializable
