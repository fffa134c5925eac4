package clientlab

import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/**
 * What a closed session left behind.
 *
 * @property threads names of platform threads that were not there before, those that the adapter declares among them.
 * @property undeclared those of them that no declaration covers.
 * @property connections connections that the server still has open.
 * @property undeclaredConnections those of them beyond what declarations cover.
 */
@Serializable
public data class Leaks(
    val threads: List<String> = emptyList(),
    val undeclared: List<String> = emptyList(),
    val connections: Long = 0,
    val undeclaredConnections: Long = 0,
)
