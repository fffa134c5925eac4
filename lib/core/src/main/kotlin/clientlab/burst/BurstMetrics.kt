package clientlab.burst

import clientlab.*
import clientlab.trial.*

/** The metrics of a trial of a burst: the common ones that it writes, and its own. */
internal object BurstMetrics : MetricList(
    CommonMetrics.requests,
    CommonMetrics.failed,
    CommonMetrics.durationMs,
    CommonMetrics.latencyP50Ms,
    CommonMetrics.latencyP99Ms,
    CommonMetrics.latencyMaxMs,
    CommonMetrics.inFlightPeak,
    CommonMetrics.connectionsOpened,
    CommonMetrics.serverOvershootP99Ms,
    CommonMetrics.closeMs,
    CommonMetrics.trialMs,
    CommonMetrics.cpuSeconds,
    CommonMetrics.allocatedBytes,
    CommonMetrics.rssBytes,
    CommonMetrics.rssBaselineBytes,
    CommonMetrics.rssPeakBytes,
    CommonMetrics.osThreads,
    CommonMetrics.threadsNew,
    CommonMetrics.threadsBlocked,
    CommonMetrics.threadsPeak,
) {
    val requestsHttp1 = metric("requestsHttp1", "", "requests that came as HTTP/1.1, as the server saw them")
    val queuedP50Ms = metric("queuedP50Ms", "ms", "per request, in the client's own queue, where the client tells: median, by nearest rank")
    val queuedMaxMs = metric("queuedMaxMs", "ms", "per request, in the client's own queue: the longest")
    val connectP50Ms =
        metric(
            "connectP50Ms",
            "ms",
            "per request, from the client's queue to a connection that can be written: median, by nearest rank",
        )
    val connectMaxMs = metric("connectMaxMs", "ms", "per request, from the client's queue to a connection that can be written: the longest")
    val arrivalP50Ms = metric("arrivalP50Ms", "ms", "per request, from send to its arrival at the server: median, by nearest rank")
    val arrivalMaxMs = metric("arrivalMaxMs", "ms", "per request, from send to its arrival at the server: the longest")
    val servedP50Ms =
        metric("servedP50Ms", "ms", "per request, from its arrival at the server to the answer written: median, by nearest rank")
    val servedMaxMs = metric("servedMaxMs", "ms", "per request, from its arrival at the server to the answer written: the longest")
    val readingP50Ms =
        metric(
            "readingP50Ms",
            "ms",
            "per request, from the server's answer to the body read and handed over: median, by nearest rank",
        )
    val readingMaxMs = metric("readingMaxMs", "ms", "per request, from the server's answer to the body read and handed over: the longest")
    val batches = metric("batches", "", "groups in which requests arrived, more than half a delay apart")
    val durationAgainMs =
        metric(
            "durationAgainMs",
            "ms",
            "the measured burst once more, through the same session: from the first request sent to the last body read",
        )
    val connectionsOpenedAgain =
        metric("connectionsOpenedAgain", "", "connections that the server accepted in the burst that was sent again")
    val failedAgain = metric("failedAgain", "", "requests without a right answer in all bursts after the measured one")
    val listenOverflows =
        metric(
            "listenOverflows",
            "",
            "accept queues that ran over on the machine; each connection in question was tried again after a second or more",
        )
    val openMs = metric("openMs", "ms", "opening the session")
    val threadsRunning = metric("threadsRunning", "", "of the new ones, running")
    val threadsBlockedInRead = metric("threadsBlockedInRead", "", "of the new ones, blocked in a read")
    val threadsInSelector = metric("threadsInSelector", "", "of the new ones, waiting in a selector")
    val threadsParkedInRequest = metric("threadsParkedInRequest", "", "of the new ones, parked inside a request")
    val threadsParkedIdle = metric("threadsParkedIdle", "", "of the new ones, parked idle")
    val threadsWaiting = metric("threadsWaiting", "", "of the new ones, waiting or sleeping")
    val threadsUnparked = metric("threadsUnparked", "", "of the new ones, running, blocked in a read or in a selector")
    val threadsLive = metric("threadsLive", "", "all platform threads at the snapshot, without those of the harness")
    val all = metric("all", "", "all threads, by the rule of source 000")
    val active = metric("active", "", "threads alive and not interrupted, by the rule of source 000")
    val activeNew = metric("activeNew", "", "new active threads, by the rule of source 000")
    val activeUnparked = metric("activeUnparked", "", "active threads whose innermost frame is not `park`, by the rule of source 000")
    val activeUnparkedNew = metric("activeUnparkedNew", "", "new active and unparked threads: the count that source 000 reports")
    val threadsBefore = metric("threadsBefore", "", "active and unparked threads before the session was opened")
    val threadsAfter = metric("threadsAfter", "", "active and unparked threads after it was closed")
    val virtualThreads = metric("virtualThreads", "", "virtual threads at the snapshot")
    val carrierThreads = metric("carrierThreads", "", "carriers of virtual threads at the snapshot")
    val snapshotInFlight = metric("snapshotInFlight", "", "requests in flight at the snapshot, as the server saw it")
    val snapshotAtMs = metric("snapshotAtMs", "ms", "when the snapshot was taken, since the probes began")
    val snapshotDumpMs = metric("snapshotDumpMs", "ms", "how long the dump of all threads took")
    val virtualDumpMs = metric("virtualDumpMs", "ms", "how long the count of virtual threads took")
    val followerDumps = metric("followerDumps", "", "how often the live threads were followed")
    val followerDumpMs = metric("followerDumpMs", "ms", "how long one such look took")
    val followerCpuSeconds = metric("followerCpuSeconds", "s", "processor time of the thread that followed")
    val besideMs = metric("besideMs", "ms", "from the first of the tasks beside the requests started to the last one done")
    val plateauCpuSeconds = metric("plateauCpuSeconds", "s", "processor time of the thread that waited for the plateau")

    /** The metric that counts new threads in [state]. */
    fun of(state: ThreadState): Metric = list.first { it.name == "threads${state.name}" }
}
