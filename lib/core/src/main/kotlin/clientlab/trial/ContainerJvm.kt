package clientlab.trial

/** How a JVM is started that may have so much memory and no more, as in a container. */
internal object ContainerJvm {
    /**
     * The heap may have half of the memory, and buffers an eighth, as one would divide a container; stacks have what the system gives
     * them, for they are what is asked about.
     */
    fun options(memoryMiB: Long): List<String> =
        listOf(
            // What Java takes by itself where there are fewer than two processors or 1,792 MB.
            "-XX:+UseSerialGC",
            "-Xmx${memoryMiB / 2}m",
            "-XX:MaxDirectMemorySize=${memoryMiB / 8}m",
            "-XX:ReservedCodeCacheSize=${(memoryMiB / 4).coerceAtMost(64)}m",
            // The system's own default, said aloud: it is the megabyte of source 000.
            "-Xss1m",
            "-XX:-UsePerfData",
            "-Djava.awt.headless=true",
            "-Dfile.encoding=UTF-8",
            "-Dkotlinx.coroutines.debug=off",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
        ).filter { Runtime.version().feature() >= UNSAFE_OPTION || !it.startsWith("--sun-misc") }

    /** Java tells of them on standard error, where errors are looked for. */
    val OPTIONS_OF_THE_ENVIRONMENT: Set<String> = setOf("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")

    private const val UNSAFE_OPTION = 23
}
