package clientlab.transfer

import clientlab.Metric

/** What a trial of the workload `transfer` measures, beside what it shares with `burst`. */
internal val transferMetrics: List<Metric> =
    listOf(
        Metric("iterations", "", "transfers that were timed, the first ones among them"),
        Metric("iterationMedianMs", "ms", "time of one transfer: median of the trial's iterations"),
        Metric("iterationMeanMs", "ms", "the same, mean of all iterations, as source 001 reports it"),
        Metric("iterationMinMs", "ms", "the same, the shortest"),
        Metric("iterationMaxMs", "ms", "the same, the longest"),
        Metric("iterationFirstMs", "ms", "the same, the first: nothing is compiled yet"),
        Metric("iterationSteadyMs", "ms", "the same, median of the last half of the iterations"),
        Metric("throughputMiBs", "MiB/s", "bytes of one transfer, or of all that go on at once, by the median time"),
        Metric("cpuSecondsPerMiB", "s/MiB", "processor time of the fork for each MiB, all timed iterations together"),
        Metric(
            "allocatedBytesPerMiB",
            "bytes/MiB",
            "bytes that Java threads allocated for each MiB, all timed iterations together; not off the heap",
        ),
        Metric("peerCpuSecondsPerMiB", "s/MiB", "processor time of the process at the other end, for each MiB"),
        Metric("peerBusy", "", "processor time of the process at the other end, by the time of the timed iterations"),
        Metric("threadsAdded", "", "platform threads more than before the transfer was opened, at most"),
        Metric("fileThreads", "", "threads that were ever seen inside a read or write of a file"),
        Metric("fileThreadsBehind", "", "of these, other threads than the one that asked for the transfer"),
        Metric("connectionsClosed", "", "connections that were closed before the sockets were looked at"),
        Metric("socketsLeft", "", "of these, still ESTABLISHED or in CLOSE_WAIT at either end, a second after close"),
        Metric("ownEstablished", "", "sockets of the fork in ESTABLISHED, a second after close"),
        Metric("ownCloseWait", "", "the same, in CLOSE_WAIT"),
        Metric("ownTimeWait", "", "the same, in TIME_WAIT, which is the regular end of who closes first"),
        Metric("ownOther", "", "the same, in any other state"),
        Metric("peerEstablished", "", "sockets at the other end in ESTABLISHED, a second after close"),
        Metric("peerCloseWait", "", "the same, in CLOSE_WAIT"),
        Metric("peerTimeWait", "", "the same, in TIME_WAIT"),
        Metric("peerOther", "", "the same, in any other state"),
    )
