package clientlab.idle

import clientlab.trial.*

/** The metrics of a trial of idle tasks: the common ones that it writes, and its own. */
internal object IdleTasksMetrics : MetricList(
    CommonMetrics.trialMs,
    CommonMetrics.allocatedBytes,
    CommonMetrics.rssBytes,
    CommonMetrics.rssBaselineBytes,
) {
    val tasksBegun = metric("tasksBegun", "", "tasks that had begun when memory was read")
    val tasksEnded = metric("tasksEnded", "", "tasks that had ended when memory was read")
    val startMs = metric("startMs", "ms", "from the first task started until all that can run at once have begun")
    val collections = metric("collections", "", "full collections until the heap in use had settled, at the second reading")
    val memoryGrowthBytes =
        metric(
            "memoryGrowthBytes",
            "bytes",
            "growth of the heap in use after full collections and of the resident set; the heap is resident from the start, so no byte counts twice",
        )
    val heapGrowthBytes = metric("heapGrowthBytes", "bytes", "growth of the heap in use after full collections")
    val uncollectedGrowthBytes =
        metric(
            "uncollectedGrowthBytes",
            "bytes",
            "growth of the heap in use as it stands, with no collection since the first task",
        )
    val residentGrowthBytes =
        metric(
            "residentGrowthBytes",
            "bytes",
            "growth of the resident set: what is not heap, because the heap is resident from the start",
        )
    val pssGrowthBytes =
        metric("pssGrowthBytes", "bytes", "growth of the proportional set: pages shared with other processes count in part")
    val reservedGrowthBytes = metric("reservedGrowthBytes", "bytes", "growth of the address space")
    val nonHeapGrowthBytes = metric("nonHeapGrowthBytes", "bytes", "growth of the JVM's own pools: classes and compiled code")
    val classesGrowth = metric("classesGrowth", "", "classes loaded since the baseline")
    val osThreadsGrowth =
        metric("osThreadsGrowth", "", "threads of the process that were not there at the baseline, as the system counts them")
    val heapBytes = metric("heapBytes", "bytes", "heap in use after full collections, while the tasks wait")
    val heapBaselineBytes = metric("heapBaselineBytes", "bytes", "heap in use after full collections, before the first task")
    val nmtGrowthBytes = metric("nmtGrowthBytes", "bytes", "growth of all that the JVM committed, by its native memory tracking")
    val nmtThreadGrowthBytes = metric("nmtThreadGrowthBytes", "bytes", "of nmtGrowthBytes, structures of threads, without stacks")
    val nmtStackGrowthBytes = metric("nmtStackGrowthBytes", "bytes", "of nmtGrowthBytes, stacks of threads, as far as they are resident")
    val nmtStackReservedGrowthBytes = metric("nmtStackReservedGrowthBytes", "bytes", "growth of what is reserved for stacks of threads")
    val nmtHeapGrowthBytes = metric("nmtHeapGrowthBytes", "bytes", "of nmtGrowthBytes, the Java heap")
    val nmtClassGrowthBytes = metric("nmtClassGrowthBytes", "bytes", "of nmtGrowthBytes, classes, their metaspace and compiled code")
    val nmtOtherGrowthBytes =
        metric(
            "nmtOtherGrowthBytes",
            "bytes",
            "of nmtGrowthBytes, all the rest: collector, monitors, compilers, the tracking itself",
        )
}
