package clientlab

import kotlin.time.Duration

/**
 * What a trial does. Each workload is a folder of its own and lists its treatments and its metrics; `clientlab.workloads` lists the workloads.
 */
public interface Workload {
    /** Every combination of levels, each once. */
    public val treatments: List<Treatment>

    /** Every metric that its trials may have; a trial that writes another one fails. */
    public val metrics: List<Metric>

    /** The name of the metric that a precision looks at by default. */
    public val mainMetric: String

    /** The clients it puts to work; empty where it has none. */
    public val clients: List<ClientInfo> get() = emptyList()

    /** The same workload for other clients; refused where it has none. */
    public fun withClients(clients: List<ClientInfo>): Workload =
        throw LabException("This workload has no clients, so none can be chosen or added: change its other factors with copy(...).")

    /** The same workload at a size that takes a second or two a trial. */
    public fun smoke(): Workload

    /** What one trial of [treatment] takes in its bursts alone, for the time left and the deadline of a fork. */
    public fun expected(treatment: Treatment): Duration

    /** Options of the trial JVM that [treatment] consists of. */
    public fun jvmArgs(treatment: Treatment): List<String> = emptyList()

    /** What a trial of [treatment] needs running beside the delay server. */
    public fun peers(treatment: Treatment): Set<Peer> = emptySet()

    /** The protocols that its treatments ask of the delay server. */
    public val protocols: Set<Protocol> get() = setOf(Protocol.Http1)

    /** The most connections that one treatment may open at once: what the open-file limit has to allow. */
    public val mostConnections: Int
}
