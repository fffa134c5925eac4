package clientlab.trial

/** The options of a JVM with limited memory, as in a container. */
internal object ContainerJvm {
    /**
     * The heap may have half of the memory, and buffers an eighth, as one would divide a container; stacks have what the system gives
     * them, because a trial asks about stacks.
     */
    fun options(memoryMiB: Long): List<String> =
        listOf(
            // Java's own choice with fewer than two processors or 1,792 MB.
            "-XX:+UseSerialGC",
            "-Xmx${memoryMiB / 2}m",
            "-XX:MaxDirectMemorySize=${memoryMiB / 8}m",
            "-XX:ReservedCodeCacheSize=${(memoryMiB / 4).coerceAtMost(64)}m",
            // The system's default, set explicitly: it is the megabyte of source 000.
            "-Xss1m",
            "-XX:-UsePerfData",
            "-Djava.awt.headless=true",
            "-Dfile.encoding=UTF-8",
            "-Dkotlinx.coroutines.debug=off",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
        ).filter { Runtime.version().feature() >= UNSAFE_OPTION || !it.startsWith("--sun-misc") }

    private const val UNSAFE_OPTION = 23
}
