package clientlab

import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/**
 * What is left of a closed session.
 *
 * @property threads names of platform threads that were not there before, declared ones included.
 * @property undeclared those that the adapter does not declare.
 * @property connections connections that the server still has open.
 * @property undeclaredConnections those beyond the declared number.
 */
@Serializable
public data class Leaks(
    val threads: List<String> = emptyList(),
    val undeclared: List<String> = emptyList(),
    val connections: Long = 0,
    val undeclaredConnections: Long = 0,
)
