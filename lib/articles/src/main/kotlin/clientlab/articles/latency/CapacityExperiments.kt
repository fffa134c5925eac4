package clientlab.articles.latency

import clientlab.*
import clientlab.capacity.*
import clientlab.resourcelimits.*
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** How many requests a second each of [clients] answers with a 99th percentile of [p99] at most, searched in each of [forks]. */
public fun capacity(
    clients: List<ClientInfo>,
    p99: Duration = 20.milliseconds,
    delay: Duration = 5.milliseconds,
    forks: Int = 5,
): Experiment<Capacity> = Experiment("capacity", Capacity(clients, p99 = p99, delay = delay), forks = forks)

/**
 * How many requests each of [clients] has in flight at once, of which 99 % are answered within [p99]: all are sent at once, and the server
 * answers after [delay].
 */
public fun capacityInFlight(
    clients: List<ClientInfo>,
    p99: Duration = 2.seconds,
    delay: Duration = 1.seconds,
    upTo: Int = 5_000,
    forks: Int = 5,
): Experiment<Capacity> {
    val workload = Capacity(clients, p99 = p99, delay = delay, from = minOf(FIRST_IN_FLIGHT, upTo), upTo = upTo, by = SearchFor.InFlight)
    return Experiment("capacity-in-flight", workload, forks = forks)
}

/**
 * How many requests each of [clients] holds in flight within [memoryMiB]: `heldInFlight` of [ResourceLimits], which raises the load in a
 * JVM with that limit until it fails. There is no criterion of latency, because that JVM often ends at its limit.
 */
public fun capacityInFlight(clients: List<ClientInfo>, memoryMiB: Int, upTo: Int = 5_000, forks: Int = 5): Experiment<ResourceLimits> =
    Experiment(
        "capacity-within",
        ResourceLimits(clients, memoryMiB = listOf(memoryMiB), threads = listOf(ResourceLimits.UNLIMITED), upTo = upTo),
        forks = forks,
    )

private const val FIRST_IN_FLIGHT = 100
