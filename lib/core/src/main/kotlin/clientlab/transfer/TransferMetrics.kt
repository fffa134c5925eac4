package clientlab.transfer

import clientlab.trial.*

/** The metrics of a trial of a transfer: the common ones that it writes, and its own. */
internal object TransferMetrics : MetricList(
    CommonMetrics.durationMs,
    CommonMetrics.inFlightPeak,
    CommonMetrics.connectionsOpened,
    CommonMetrics.closeMs,
    CommonMetrics.trialMs,
    CommonMetrics.cpuSeconds,
    CommonMetrics.allocatedBytes,
    CommonMetrics.threadsPeak,
) {
    val iterations = metric("iterations", "", "transfers that were timed, the first ones among them")
    val iterationMedianMs = metric("iterationMedianMs", "ms", "time of one transfer: median of the trial's iterations")
    val iterationMeanMs = metric("iterationMeanMs", "ms", "time of one transfer: mean of all iterations, as source 001 reports it")
    val iterationMinMs = metric("iterationMinMs", "ms", "time of one transfer: the shortest")
    val iterationMaxMs = metric("iterationMaxMs", "ms", "time of one transfer: the longest")
    val iterationFirstMs = metric("iterationFirstMs", "ms", "time of the first transfer: nothing is compiled yet")
    val iterationSteadyMs = metric("iterationSteadyMs", "ms", "time of one transfer: median of the last half of the iterations")
    val throughputMiBs = metric("throughputMiBs", "MiB/s", "bytes of one transfer, or of all that go on at once, by the median time")
    val cpuSecondsPerMiB = metric("cpuSecondsPerMiB", "s/MiB", "processor time of the fork for each MiB, all timed iterations together")
    val allocatedBytesPerMiB =
        metric(
            "allocatedBytesPerMiB",
            "bytes/MiB",
            "bytes that Java threads allocated for each MiB, all timed iterations together; not off the heap",
        )
    val peerCpuSecondsPerMiB = metric("peerCpuSecondsPerMiB", "s/MiB", "processor time of the process at the other end, for each MiB")
    val peerBusy = metric("peerBusy", "", "processor time of the process at the other end, by the time of the timed iterations")
    val threadsAdded = metric("threadsAdded", "", "platform threads more than before the transfer was opened, at most")
    val fileThreads = metric("fileThreads", "", "threads that were ever seen inside a read or write of a file")
    val fileThreadsBehind =
        metric(
            "fileThreadsBehind",
            "",
            "threads that were ever seen inside a read or write of a file, without the one that asked for the transfer",
        )
    val connectionsClosed = metric("connectionsClosed", "", "connections that were closed before the sockets were looked at")
    val socketsLeft =
        metric(
            "socketsLeft",
            "",
            "closed connections that are still ESTABLISHED or in CLOSE_WAIT at either end, a second after close",
        )
    val ownEstablished = metric("ownEstablished", "", "sockets of the fork in ESTABLISHED, a second after close")
    val ownCloseWait = metric("ownCloseWait", "", "sockets of the fork in CLOSE_WAIT, a second after close")
    val ownTimeWait =
        metric(
            "ownTimeWait",
            "",
            "sockets of the fork in TIME_WAIT, the regular end of the side that closes first, a second after close",
        )
    val ownOther = metric("ownOther", "", "sockets of the fork in any other state, a second after close")
    val peerEstablished = metric("peerEstablished", "", "sockets at the other end in ESTABLISHED, a second after close")
    val peerCloseWait = metric("peerCloseWait", "", "sockets at the other end in CLOSE_WAIT, a second after close")
    val peerTimeWait = metric("peerTimeWait", "", "sockets at the other end in TIME_WAIT, a second after close")
    val peerOther = metric("peerOther", "", "sockets at the other end in any other state, a second after close")
}
