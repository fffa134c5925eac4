package clientlab.conduct.scene

import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * One situation: what the server and the caller do, and what is observed of the client.
 *
 * @property id its group and its name, as in `idle.closed-post`.
 * @property story what the server and the caller do, in a sentence or two.
 * @property apart whether all of it happens in a program of its own, and no time is observed. Such situations need not wait for each other.
 */
internal class Situation(
    val id: String,
    val story: String,
    val apart: Boolean = false,
    val look: suspend Scene.() -> Observed,
) {
    val group: String get() = id.substringBefore('.')

    val needsTls: Boolean get() = group == "tls" || group == "http2"

    override fun toString(): String = id
}

/** What the client did, how long it took where that says something, and why it is a [concern], if it is one. */
internal data class Observed(val fact: String, val ms: Double? = null, val concern: String = "") {
    /** The same, and a concern if [holds]. */
    fun concern(because: String, holds: Boolean): Observed = if (holds && concern.isEmpty()) copy(concern = because) else this
}

/** What every time-out of the client is set to, if it lets itself be set. */
internal val TIMEOUT: Duration = 400.milliseconds

/** How long a situation waits for the end of a request. A client that takes longer has no time-out there. */
internal val PATIENCE: Duration = 1_500.milliseconds

/** How long a situation waits for what should come at once. */
internal val SOON: Duration = 250.milliseconds
