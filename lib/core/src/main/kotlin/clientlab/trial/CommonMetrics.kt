package clientlab.trial

import clientlab.*
import clientlab.probe.*
import kotlin.properties.PropertyDelegateProvider

/** The metrics of one workload: the [common] ones that it writes, then its own, each as in `val openMs by ms("opening the session")`. */
internal abstract class MetricList(common: CommonMetrics.() -> List<Metric>) {
    private val declared = CommonMetrics.common().toMutableList()

    /** All of them, the common ones first. */
    val list: List<Metric> get() = declared

    /** Declares a metric that no other workload writes, under the name of its property. */
    protected fun metric(unit: String, meaning: String): PropertyDelegateProvider<Any?, Lazy<Metric>> =
        PropertyDelegateProvider { _, property -> lazyOf(Metric(property.name, unit, meaning).also { declared += it }) }

    protected fun count(meaning: String) = metric("", meaning)

    protected fun ms(meaning: String) = metric("ms", meaning)

    protected fun bytes(meaning: String) = metric("bytes", meaning)
}

/** The metrics that trials of several workloads write, each with one meaning for all of them. */
internal object CommonMetrics {
    private const val LATENCY = "per request, from send to the end of its body (in `rate`, `latency` and `capacity` from its planned time):"
    private const val SENT = "per answered request, from when it was really sent:"
    private const val ANON = "resident memory that no file backs"

    private fun bytes(name: String, meaning: String) = Metric(name, "bytes", meaning)

    val requests = Metric("requests", "", "requests sent")
    val failed = Metric("failed", "", "requests without a right answer")
    val durationMs = Metric("durationMs", "ms", "from the first request sent to the last body read")
    val latencyP50Ms = Metric("latencyP50Ms", "ms", "$LATENCY median, by nearest rank")
    val latencyP99Ms = Metric("latencyP99Ms", "ms", "$LATENCY 99th percentile, by nearest rank")
    val latencyMaxMs = Metric("latencyMaxMs", "ms", "$LATENCY the longest")
    val inFlightPeak = Metric("inFlightPeak", "", "the most requests in flight at once, as the server saw it")
    val spoilt =
        Metric(
            "spoilt",
            "",
            "seen while the process stood still: situations, three times in a row; in `storm` the whole storm; in `churn` what is left behind",
        )
    val connectionsOpened = Metric("connectionsOpened", "", "connections that the server accepted")
    val connectionsPerRequest =
        Metric("connectionsPerRequest", "", "for each answered request: connections that the server accepted and that carried a request")
    val tlsHandshakes = Metric("tlsHandshakes", "", "connections on which client and server agreed upon TLS")
    val serverOvershootP99Ms = Metric("serverOvershootP99Ms", "ms", "how late the server wrote an answer after it was due, 99th percentile")
    val closeMs = Metric("closeMs", "ms", "closing the session")
    val trialMs = Metric("trialMs", "ms", "the whole life of the fork")
    val cpuSeconds = Metric("cpuSeconds", "s", "processor time of the work, user and system, without what the probes' own threads took")
    val allocatedBytes =
        bytes("allocatedBytes", "bytes allocated by Java threads during the work, without what the probes' own threads took")
    val rssBytes = bytes("rssBytes", "resident set: at the snapshot, after the work, or in the steady part of the load")
    val rssBaselineBytes = Metric(
        "rssBaselineBytes",
        "bytes",
        "resident set before the work: before the session was opened, the first task started or the first request came",
    )
    val rssPeakBytes = bytes("rssPeakBytes", "the largest resident set since the process was started")
    val osThreads = Metric("osThreads", "", "threads of the process at the snapshot, as the system counts them")
    val threadsNew = Metric(
        "threadsNew",
        "",
        "platform threads at the snapshot that are new since the baseline: not there before, or parked idle then and not now",
    )
    val threadsBlocked =
        Metric("threadsBlocked", "", "new platform threads that one request each holds: blocked in a read, or parked inside a request")
    val threadsPeak = Metric("threadsPeak", "", "the most platform threads that any dump of the burst saw")
    val answeredShare = Metric("answeredShare", "", "requests answered rightly before their caller gave up, of all that were planned")
    val survived =
        Metric("survived", "", "1 where the gateway answered all requests rightly, or the client under limits held all in flight, else 0")
    val sentLatencyP50Ms = Metric("sentLatencyP50Ms", "ms", "$SENT median; hides the time that it waited to be sent")
    val sentLatencyP99Ms = Metric("sentLatencyP99Ms", "ms", "$SENT 99th percentile")
    val sendLagP99Ms = Metric("sendLagP99Ms", "ms", "how late the generator sent a request after it was planned, 99th percentile")
    val anonBytes =
        bytes("anonBytes", "$ANON: of the gateway, mean of the steady part of the load, or of the JVM under limits at the highest load")
    val anonBaselineBytes = bytes("anonBaselineBytes", "$ANON, of the gateway or of the JVM under limits, before its first request")
    val requestCpuMs = Metric(
        "requestCpuMs",
        "ms",
        "processor time of the client's threads for each answered request; in a trial without `clientCpuSeconds`, of the whole process",
    )
    val requestAllocatedBytes = bytes("requestAllocatedBytes", "bytes allocated for each answered request")
    private val kindWords = mapOf(
        ThreadKind.Client to "the client's threads, those that call it included",
        ThreadKind.Harness to "the harness's own threads, of which the client has no part",
        ThreadKind.Compilers to "the just-in-time compilers",
        ThreadKind.Collector to "the garbage collector",
        ThreadKind.Other to "the rest of the JVM",
    )

    /** `clientCpuSeconds`, `compilersCpuSeconds` and so on. */
    val cpuByKind: Map<ThreadKind, Metric> =
        kindWords.mapValues { (kind, whose) -> Metric("${kind.label}CpuSeconds", "s", "processor time of the work: $whose") }
    val steady = Metric("steady", "", "1 where the warm-up ended because its series was steady, 0 where its budget was spent before")
    val warmUpMs = Metric("warmUpMs", "ms", "how long the fork was warmed up at the load's own rate")
    val requestsPerSecond = Metric("requestsPerSecond", "1/s", "requests answered in each second")
    val heldInFlight =
        Metric("heldInFlight", "", "requests in flight at the highest load, as the server saw it: the client's limit where more were asked")
}
