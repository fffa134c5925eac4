package clientlab.gatewayload

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/** The task of a gateway: one line of JSON on its standard input. */
@Serializable
public data class GatewaySpec(
    val client: String,
    val inFlight: Int,
    val server: String,
)

/** The report of a gateway when it listens: one line of JSON on its standard output. */
@Serializable
public data class GatewayReady(val port: Int)
