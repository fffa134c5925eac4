package clientlab.machine

import clientlab.testing.*
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.deleteExisting

/** A machine of two processors, read twice with 100 ticks, one second, between. */
class MachineSpanTest(
    @param:TempDir private val root: Path,
) {
    private val machine = MadeMachine(root)

    private var reads = 0L

    /** Each reading is a second after the one before. */
    private fun read() = MachineCounters.read(machine.files, self = ME, nanos = reads++ * 1_000_000_000)

    @Test
    fun `what ran in programs and was neither ours nor the kernel's was others'`() {
        machine.ticks(user = 100, idle = 1000)
        machine.process(ME, 1, own = 10)
        machine.process(SERVER, ME, own = 5)
        machine.process(KERNEL_THREAD, 2, own = 1, kernel = true)
        machine.process(OTHER, 1, own = 20)
        val before = read()
        machine.ticks(user = 150, nice = 10, system = 40, idle = 1060, wait = 10, softirq = 30)
        machine.process(ME, 1, own = 20)
        machine.process(SERVER, ME, own = 15)
        machine.process(KERNEL_THREAD, 2, own = 6, kernel = true)
        machine.process(OTHER, 1, own = 60)
        val span = read().spanSince(before)
        span.seconds.shouldNotBeNull() shouldBe (1.0 plusOrMinus 1e-9)
        // 100 ticks in programs, 20 of them ours and 5 the kernel's own.
        span.othersProcessors.shouldNotBeNull() shouldBe (0.75 plusOrMinus 1e-9)
        span.othersBusy shouldBe 1
    }

    @Test
    fun `a fork that has ended counts by what its parent waited for, its own children too`() {
        machine.ticks(idle = 1000)
        machine.process(ME, 1, own = 10, children = 100)
        val before = read()
        machine.ticks(user = 90, idle = 1110)
        machine.process(ME, 1, own = 15, children = 185)
        read().spanSince(before).othersProcessors shouldBe 0.0
    }

    @Test
    fun `what our own tree took beyond the machine's samples is no debt of others`() {
        machine.ticks(idle = 1000)
        machine.process(ME, 1, own = 0)
        val before = read()
        machine.ticks(user = 10, idle = 1190)
        machine.process(ME, 1, own = 14)
        read().spanSince(before).othersProcessors shouldBe 0.0
    }

    @Test
    fun `a load that the kernel's samples see too often is no work of others`() {
        machine.ticks(idle = 1000)
        machine.process(ME, 1, own = 0)
        val before = read()
        // Two processors have 200 ticks in a second. 80 were idle and we took 120, of which the samples saw 190.
        machine.ticks(user = 190, idle = 1080)
        machine.process(ME, 1, own = 120)
        val span = read().spanSince(before)
        span.othersProcessors.shouldNotBeNull() shouldBe (0.0 plusOrMinus 1e-9)
        span.seconds.shouldNotBeNull() shouldBe (1.0 plusOrMinus 1e-9)
    }

    @Test
    fun `a load that the samples see too seldom does not hide others`() {
        machine.ticks(idle = 1000)
        machine.process(ME, 1, own = 0)
        val before = read()
        machine.ticks(user = 40, idle = 1050)
        machine.process(ME, 1, own = 100)
        read().spanSince(before).othersProcessors.shouldNotBeNull() shouldBe (0.5 plusOrMinus 1e-9)
    }

    @Test
    fun `a process is busy beyond a twentieth of a processor, one that began between the readings too`() {
        machine.ticks(idle = 1000)
        machine.process(ME, 1, own = 0)
        machine.process(300, 1, own = 7)
        machine.process(301, 1, own = 7)
        machine.process(303, 1, own = 90, started = 5)
        val before = read()
        machine.ticks(idle = 1200)
        machine.process(300, 1, own = 12)
        machine.process(301, 1, own = 13)
        machine.process(302, 1, own = 6)
        // Another process with the same id, for which 90 were too many to take off.
        machine.process(303, 1, own = 40, started = 9)
        read().spanSince(before).othersBusy shouldBe 3
    }

    @Test
    fun `a name of brackets and spaces is no field`() {
        ProcessLine.parse("7 (a) R 1 (b) S 3 1 1 0 -1 0 9 9 9 9 11 12 13 14 20 0 1 0 99 1 1") shouldBe
            ProcessLine(7, parent = 3, own = 23, children = 27, kernel = false, started = 99)
        ProcessLine.parse("7 (java) S") shouldBe null
        ProcessLine.parse("") shouldBe null
    }

    @Test
    fun `steal is a share of all time, idle and waiting too`() {
        machine.ticks(user = 0, idle = 1000, steal = 5)
        val before = read()
        machine.ticks(user = 40, idle = 1100, wait = 56, steal = 9)
        read().spanSince(before).stealShare.shouldNotBeNull() shouldBe (0.02 plusOrMinus 1e-9)
    }

    @Test
    fun `pages from swap and to it add up`() {
        machine.write("proc/vmstat", "nr_free_pages 5\npswpin 10\npswpout 20\npgfault 7\n")
        val before = read()
        machine.write("proc/vmstat", "pswpin 15\npswpout 27\n")
        read().spanSince(before).swappedPages shouldBe 12
    }

    @Test
    fun `the load is that at the end`() {
        machine.write("proc/loadavg", "0.10 0.20 0.30 1/259 9751\n")
        val before = read()
        machine.write("proc/loadavg", "7.50 0.20 0.30 1/259 9751\n")
        read().spanSince(before).load shouldBe 7.5
    }

    @Test
    fun `quotas of our group and of those above it count, in version 2`() {
        machine.write("proc/$ME/cgroup", "0::/user/lab\n")
        machine.write("sys/fs/cgroup/user/lab/cpu.stat", "usage_usec 5\nnr_throttled 1\nthrottled_usec 1000\n")
        machine.write("sys/fs/cgroup/user/cpu.stat", "throttled_usec 500\n")
        machine.write("sys/fs/cgroup/cpu.stat", "usage_usec 5\n")
        val before = read()
        machine.write("sys/fs/cgroup/user/lab/cpu.stat", "throttled_usec 21000\n")
        machine.write("sys/fs/cgroup/user/cpu.stat", "throttled_usec 1500\n")
        read().spanSince(before).throttledMs shouldBe 21.0
    }

    @Test
    fun `quotas count in version 1, where a container may see its own group as the root`() {
        machine.write("proc/$ME/cgroup", "2:cpuacct:/far\n1:cpu:/docker/abc\n0::/\n")
        machine.write("sys/fs/cgroup/cpu/cpu.stat", "nr_periods 4\nthrottled_time 2000000\n")
        val before = read()
        machine.write("sys/fs/cgroup/cpu/cpu.stat", "throttled_time 14000000\n")
        read().spanSince(before).throttledMs shouldBe 12.0
    }

    @Test
    fun `where nothing is readable there are no numbers, and no error`() {
        read().spanSince(read()) shouldBe MachineSpan()
        machine.write("proc/stat", "no such thing\n")
        machine.write("proc/loadavg", "\n")
        machine.write("proc/vmstat", "pswpin many\n")
        machine.write("proc/$ME/stat", "?")
        machine.write("proc/$ME/cgroup", "?")
        read().spanSince(read()) shouldBe MachineSpan()
    }

    @Test
    fun `between two readings in one tick there is nothing to say of processors`() {
        machine.ticks(user = 1, idle = 1)
        machine.process(ME, 1, own = 0)
        read().spanSince(read()) shouldBe MachineSpan()
    }

    @Test
    fun `where we do not see ourselves, nobody can be told from us`() {
        machine.ticks(user = 1, idle = 1)
        machine.process(ME, 1, own = 0)
        val before = read()
        root.resolve("proc/$ME/stat").deleteExisting()
        machine.ticks(user = 101, idle = 101)
        val span = read().spanSince(before)
        span.othersProcessors shouldBe null
        span.othersBusy shouldBe null
        span.stealShare shouldBe 0.0
    }

    private companion object {
        const val ME = 100L
        const val SERVER = 101L
        const val OTHER = 200L
        const val KERNEL_THREAD = 12L
    }
}
