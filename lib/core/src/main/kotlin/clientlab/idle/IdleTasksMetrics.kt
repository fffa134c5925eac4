package clientlab.idle

import clientlab.Metric

/**
 * What a trial of the workload `residents` measures.
 *
 * A growth is what was read while the tasks waited (or computed) less what was read just before the first was started.
 */
internal val idleTasksMetrics: List<Metric> =
    listOf(
        Metric("tasksBegun", "", "tasks that had begun when memory was read"),
        Metric("tasksEnded", "", "tasks that had ended when memory was read"),
        Metric("startMs", "ms", "from the first task started until all that can run at once have begun"),
        Metric("collections", "", "full collections until the heap in use had settled, at the second reading"),
        Metric(
            "memoryGrowthBytes",
            "bytes",
            "growth of the heap in use after full collections and of the resident set; the heap is resident from the start, so none is twice",
        ),
        Metric("heapGrowthBytes", "bytes", "growth of the heap in use after full collections"),
        Metric("uncollectedGrowthBytes", "bytes", "growth of the heap in use as it stands, with no collection since the first task"),
        Metric("residentGrowthBytes", "bytes", "growth of the resident set: what is not heap, for the heap is resident from the start"),
        Metric("pssGrowthBytes", "bytes", "growth of the proportional set: pages shared with other processes count in part"),
        Metric("reservedGrowthBytes", "bytes", "growth of the address space"),
        Metric("nonHeapGrowthBytes", "bytes", "growth of the JVM's own pools: classes and compiled code"),
        Metric("classesGrowth", "", "classes loaded since the baseline"),
        Metric("osThreadsGrowth", "", "threads of the process that were not there at the baseline, as the system counts them"),
        Metric("heapBytes", "bytes", "heap in use after full collections, while the tasks wait"),
        Metric("heapBaselineBytes", "bytes", "the same, before the first task"),
        Metric("nmtGrowthBytes", "bytes", "growth of all that the JVM committed, by its native memory tracking"),
        Metric("nmtThreadGrowthBytes", "bytes", "of this, structures of threads, without stacks"),
        Metric("nmtStackGrowthBytes", "bytes", "of this, stacks of threads, as far as they are resident"),
        Metric("nmtStackReservedGrowthBytes", "bytes", "growth of what is reserved for stacks of threads"),
        Metric("nmtHeapGrowthBytes", "bytes", "of the growth by native memory tracking, the Java heap"),
        Metric("nmtClassGrowthBytes", "bytes", "of this, classes, their metaspace and compiled code"),
        Metric("nmtOtherGrowthBytes", "bytes", "of this, all the rest: collector, monitors, compilers, the tracking itself"),
    )
