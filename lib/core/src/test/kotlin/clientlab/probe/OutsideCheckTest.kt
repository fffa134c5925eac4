package clientlab.probe

import clientlab.testing.*
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import jdk.jfr.Recording
import jdk.jfr.consumer.RecordedEvent
import jdk.jfr.consumer.RecordingFile
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.deleteIfExists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.math.abs

/** Each probe against what somebody else says of the same thing: the kernel, tools of the JDK and of the system. */
class OutsideCheckTest {
    private val threads = RealThreads()
    private val me = ProcessHandle.current().pid()

    @AfterEach
    fun letGo() = threads.close()

    @Test
    fun `platform threads are those that jcmd Thread print has, but for the JVM's hidden ones and the harness's own`() {
        val probe = ThreadProbe(ThreadOwners(emptyList())) { false }
        repeat(PARKED) { threads.parked("outside-$it") }
        threads.parked("lab-outside")
        val (ours, printed) =
            agreed {
                // The first question starts the thread that answers it, so it comes before ours.
                val printed = printed(me)
                probe.snapshot(probe.baseline()).platformIds to printed.filterValues { !HIDDEN.matches(it) }.keys
            }
        ours shouldBe printed
        printed(me).values.count { it.startsWith("outside-") } shouldBe PARKED
    }

    @Test
    fun `platform threads are threads of the kernel, by their names in proc`() {
        assumeProc("the names of threads")
        repeat(PARKED) { threads.parked("outside-$it") }
        val probe = ThreadProbe(ThreadOwners(emptyList())) { false }
        val (ours, kernels) =
            agreed { probe.newNames(NOTHING).count { it.startsWith("outside-") } to names(me).count { it.startsWith("outside-") } }
        ours shouldBe PARKED
        kernels shouldBe PARKED
    }

    @Test
    fun `the system's threads are as many as proc lists, of this process and of another`() {
        assumeProc("the number of threads")
        repeat(PARKED) { threads.parked() }

        // One of the compiler's or of the collector's may come or go between the two readings.
        fun alike(a: Int, b: Int) = abs(a - b) <= 1
        val (ours, listed) = agreed(::alike) { ProcessProbe.read().osThreads!! to names(me).size }
        ours shouldBeInRange listed - 1..listed + 1
        ours.toLong() shouldBeGreaterThanOrEqual ThreadProbe.liveCount().toLong()
        val child = child()
        val (ofChild, listedOfChild) = agreed(::alike) { ChildProbe(child.toHandle()).read()!!.osThreads!! to names(child.pid()).size }
        ofChild shouldBeInRange listedOfChild - 1..listedOfChild + 1
    }

    @Test
    fun `the resident set is what the kernel adds up, of this process and of another`() {
        assumeProc("the resident set")
        near { ProcessProbe.read().rssBytes!! to smaps(me) }
        near { MemoryProbe.read().rssBytes!! to status(me) }
        val child = child().toHandle()
        near { ChildProbe(child).read()!!.rssBytes!! to smaps(child.pid()) }
        ProcessProbe.read().let { it.rssPeakBytes.shouldNotBeNull() shouldBeGreaterThanOrEqual it.rssBytes.shouldNotBeNull() }
    }

    @Test
    fun `the resident set is what ps prints, of this process and of another`() {
        assumeProc("the resident set")
        near { ProcessProbe.read().rssBytes!! to ps(me) }
        val child = child().toHandle()
        near { ChildProbe(child).read()!!.rssBytes!! to ps(child.pid()) }
    }

    /**
     * `ThreadAllocationStatistics` is told of every thread at the start and the end of a recording. What ours has more is what Flight
     * Recorder itself took in between, and what threads took that have ended: less than a twentieth of half a gigabyte.
     */
    @Test
    fun `allocated bytes are what Flight Recorder adds up by threads`() {
        val file = Files.createTempFile("client-lab", ".jfr")
        try {
            val before = ProcessProbe.read().allocatedBytes
            Recording().use { recording ->
                recording.enable(STATISTICS).with("period", "everyChunk")
                recording.start()
                repeat(ARRAYS) { kept = ByteArray(ARRAY_BYTES) }
                recording.stop()
                recording.dump(file)
            }
            val ours = (ProcessProbe.read().allocatedBytes - before).toDouble()
            val events = RecordingFile.readAllEvents(file)
            ours shouldBeGreaterThan ARRAYS.toDouble() * ARRAY_BYTES
            events.ofThreads() / ours shouldBe (1.0 plusOrMinus 0.05)
        } finally {
            file.deleteIfExists()
        }
    }

    @Test
    fun `sockets and their states are those that ss has`() {
        assumeProc("the states of sockets")
        val listener = threads.closing(ServerSocket(0, 10, InetAddress.getLoopbackAddress()))
        val mine = List(5) { threads.closing(Socket(listener.inetAddress, listener.localPort)) }
        val theirs = List(5) { threads.closing(listener.accept()) }
        mine.take(2).forEach { it.close() }
        theirs.last().close()
        val (ours, told) = agreed { SocketStates.of(listener.localPort)!!.all() to ss(listener.localPort) }
        ours shouldBe told
        ours.count { it.state == "ESTABLISHED" } shouldBe 4
        ours.count { it.state == "CLOSE_WAIT" } shouldBe 3
    }

    @Test
    fun `connections that the delay server has open are those that ss has`() {
        val server = threads.closing(RunningServer())
        val probe = threads.closing(server.probe())
        val sockets = List(9) { server.connect() }
        sockets.take(2).forEach { it.close() }
        val (ours, told) =
            agreed {
                probe.evidence().connectionsOpen.toInt() to
                    ss(server.address.port).count { it.localPort == server.address.port && it.state == "ESTABLISHED" }
            }
        ours shouldBe told
        ours shouldBe 7
    }

    /** A trial JVM that waits for its orders. */
    private fun child(): Process {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val classpath = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
        val process = ProcessBuilder(java, "-Xmx64m", "-cp", classpath, "clientlab.workloads.TrialMainKt").start()
        threads.closing(AutoCloseable { process.destroyForcibly().waitFor() })
        return process
    }

    /** The Java threads of process [pid] as jcmd prints them: names by their ids. The JVM's native threads have no id there. */
    private fun printed(pid: Long): Map<Long, String> =
        outside("jcmd", "$pid", "Thread.print")
            .mapNotNull { PRINTED.find(it)?.destructured }
            .associate { (name, id) -> id.toLong() to name }

    /** The names of the threads of process [pid]; one may end while they are read. */
    private fun names(pid: Long): List<String> =
        Path.of("/proc/$pid/task").listDirectoryEntries().mapNotNull { runCatching { it.resolve("comm").readText().trim() }.getOrNull() }

    private fun smaps(pid: Long) = kibibytes("/proc/$pid/smaps_rollup", "Rss")

    private fun status(pid: Long) = kibibytes("/proc/$pid/status", "VmRSS")

    private fun ps(pid: Long) = outside("ps", "-o", "rss=", "-p", "$pid").single().trim().toLong() * KIB

    private fun kibibytes(file: String, name: String): Long =
        Path.of(file).readLines().first { it.startsWith("$name:") }.filter(Char::isDigit).toLong() * KIB

    /** Of each thread the last total less the first; one that was not there at the start began with nothing. */
    private fun List<RecordedEvent>.ofThreads(): Double =
        filter { it.eventType.name == STATISTICS }
            .groupBy { it.getThread("thread").javaThreadId }
            .values
            .sumOf { of -> of.maxOf { it.getLong("allocated") } - if (of.size > 1) of.minOf { it.getLong("allocated") } else 0 }
            .toDouble()

    /**
     * Within a twentieth: `status` and `ps` go by counters to which each thread hands in its pages by the dozen, `smaps_rollup` goes
     * through the pages themselves, and the process lives on in between.
     */
    private fun near(read: () -> Pair<Long, Long>) {
        val (ours, others) = agreed({ a, b -> abs(a - b) <= b / 20 }, read)
        ours.toDouble() / others shouldBe (1.0 plusOrMinus 0.05)
    }

    private fun SocketStates.all(): Set<SocketEnd> = (own + peer).toSet()

    /** `ESTAB 0 0 127.0.0.1:4711 127.0.0.1:8080`, from the kernel's own interface for it and not from the table in /proc. */
    private fun ss(port: Int): Set<SocketEnd> =
        outside("ss", "-tanH", "( sport = :$port or dport = :$port )")
            .map { it.trim().split(BLANKS) }
            .filter { it[0] != "LISTEN" }
            .map { SocketEnd(port(it[3]), port(it[4]), STATES.getOrDefault(it[0], it[0].replace('-', '_'))) }
            .toSet()

    private fun port(address: String) = address.substringAfterLast(':').toInt()

    private companion object {
        const val PARKED = 20
        const val KIB = 1024
        const val ARRAYS = 8_192
        const val ARRAY_BYTES = 65_536
        const val STATISTICS = "jdk.ThreadAllocationStatistics"
        val NOTHING = ThreadBaseline(emptySet(), emptySet(), emptySet())
        val PRINTED = Regex("^\"(.*)\" #(\\d+) ")
        val BLANKS = Regex("\\s+")
        val STATES = mapOf("ESTAB" to "ESTABLISHED", "FIN-WAIT-1" to "FIN_WAIT1", "FIN-WAIT-2" to "FIN_WAIT2")

        /** Threads of the JVM that it shows to no program, and those of the harness. */
        val HIDDEN = Regex("C[12] CompilerThread\\d+|Service Thread|Monitor Deflation Thread|StringDedupThread|lab-.*")

        /** Where an array is held for a moment, so that no compiler leaves it out. */
        @Volatile
        var kept: ByteArray? = null
    }
}
