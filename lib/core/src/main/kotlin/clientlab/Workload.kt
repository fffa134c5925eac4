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

    /** The metric that a precision looks at by default. */
    public val mainMetric: Metric

    /** The clients that it uses; empty if it has none. */
    public val clients: List<ClientInfo> get() = emptyList()

    /** The same workload with other clients; refused if it has no clients. */
    public fun withClients(clients: List<ClientInfo>): Workload =
        throw LabException("This workload has no clients, so none can be chosen or added: change its other factors with copy(...).")

    /** The same workload at a size that takes one or two seconds per trial. */
    public fun smoke(): Workload

    /** The time of one trial of [treatment] in its bursts alone, to estimate the remaining time and a fork's deadline. */
    public fun expected(treatment: Treatment): Duration

    /** The options of the trial JVM in [treatment]. */
    public fun jvmArgs(treatment: Treatment): List<String> = emptyList()

    /** The programs that a trial of [treatment] needs beside the delay server. */
    public fun peers(treatment: Treatment): Set<Peer> = emptySet()

    /** The network between the client and the delay server in [treatment]. */
    public fun wire(treatment: Treatment): Wire = Wire.direct

    /** The protocols that its treatments ask of the delay server. */
    public val protocols: Set<Protocol> get() = setOf(Protocol.Http1)

    /** The most connections that one treatment may open at once: what the open-file limit has to allow. */
    public val mostConnections: Int

    /**
     * The metric that counts what pauses of the process spoilt in a trial, if its trials watch for them. That decides then whether a trial was
     * disturbed, and not what other processes did meanwhile.
     */
    public val spoilt: Metric? get() = null

    /** Whether it sends at planned times, and not as fast as it can. So two trials at once leave each other room: see [Experiment.duet]. */
    public val paced: Boolean get() = false
}

/** The client of [treatment]. */
internal fun Workload.client(treatment: Treatment): ClientInfo = clients.first { it.id == treatment.client }

/** The options that this client asks for, for a JVM with at most [inFlight] requests in flight. */
internal fun ClientInfo.jvmArgs(inFlight: Any?): List<String> = jvmArgs.map { it.replace("{inFlight}", "$inFlight") }
