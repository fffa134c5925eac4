package clientlab.machine

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** For each rule one reading just below its limit, and one just above. */
class MachineRulesTest {
    private val machine = Machine("Linux", "A processor", 2, 8L shl 30, null, load = null, "25", "Somebody", "A VM")

    private fun before(
        load: Double? = null,
        governors: List<String>? = null,
        clock: String? = null,
        others: MachineSpan? = null,
        timer: Double = 100.0,
        loopback: Double = 100.0,
    ) =
        MachineRules.findings(
            machine,
            MachineReadings(MachineSettings(load, governors, clock), Calibration(50.0, timer, 30.0, loopback), before = others),
        )

    private fun List<Finding>.told() = map { it.sentence to it.clause }

    @Test
    fun `a load of three quarters of the processors is none yet, more is`() {
        before(load = 1.5).shouldBeEmpty()
        before(load = 7.5).told() shouldBe
            listOf(
                "The load was 7.5 on 2 processors before the first trial: something else was running, or had just been." to
                    "load 7.5 before the first trial",
            )
        before(load = 1.51).size shouldBe 1
    }

    @Test
    fun `of a run without readings the load alone tells`() {
        MachineRules.findings(machine.copy(load = 1.5), null).shouldBeEmpty()
        MachineRules.findings(machine.copy(load = 1.51), null).map { it.clause } shouldBe listOf("load 1.5 before the first trial")
        MachineRules.findings(machine, null).shouldBeEmpty()
    }

    @Test
    fun `a load unsettles a run only where it was not to be read what others take`() {
        before(load = 1.51).single().unsettles shouldBe true
        before(load = 7.5, others = MachineSpan(othersProcessors = 0.02)).single().unsettles shouldBe false
        before(load = 7.5, others = MachineSpan(othersProcessors = 0.9)).map { it.unsettles } shouldBe listOf(false, true)
        // Runs that were made before anything else was read: the load may be what the run before it had left behind.
        MachineRules.findings(machine.copy(load = 7.5), null).single().unsettles shouldBe false
    }

    @Test
    fun `others may keep a quarter of a processor busy before the first trial, and no more`() {
        before(others = MachineSpan(othersProcessors = 0.25, othersBusy = 3)).shouldBeEmpty()
        before(others = MachineSpan(othersProcessors = 1.3, othersBusy = 2)).told() shouldBe
            listOf(
                "Others kept 1.30 processors busy before the first trial, 2 busy processes among them." to
                    "others on 1.30 processors before the first trial",
            )
        before(others = MachineSpan(othersProcessors = 0.26)).size shouldBe 1
    }

    @Test
    fun `a clock outside the processor is told, one within it is not`() {
        listOf("tsc", "kvm-clock", "arch_sys_counter").forEach { before(clock = it).shouldBeEmpty() }
        before(clock = "hpet").told() shouldBe
            listOf("The kernel reads the time from hpet, which is slow: every time that is taken costs time." to "clock source hpet")
    }

    @Test
    fun `a governor that changes the frequency is told and unsettles nothing`() {
        before(governors = listOf("performance")).shouldBeEmpty()
        val found = before(governors = listOf("performance", "powersave")).single()
        found.sentence shouldBe "The frequency of the processors is not held: the governor is powersave, not performance."
        found.unsettles shouldBe false
    }

    @Test
    fun `a sleep may be 2 ms too long once in a hundred, and no longer`() {
        before(timer = 2000.0).shouldBeEmpty()
        before(timer = 2001.0).told() shouldBe
            listOf("One in a hundred sleeps of 1 ms was more than 2.0 ms too long before the first trial." to "timers 2.0 ms late")
    }

    @Test
    fun `a round trip may take 2 ms once in a hundred, and no longer`() {
        before(loopback = 2000.0).shouldBeEmpty()
        before(loopback = 2001.0).told() shouldBe
            listOf(
                "One in a hundred round trips of one byte on loopback took more than 2.0 ms before the first trial." to
                    "loopback round trips of 2.0 ms",
            )
    }

    @Test
    fun `one trial of twenty may be disturbed, and no more`() {
        fun disturbed(count: Int, of: Int) =
            MachineRules.findings(
                machine,
                MachineReadings(MachineSettings(), trials = of, disturbed = List(count) { DisturbedTrial(it, "fuel", listOf("Words.")) }),
            )
        disturbed(0, 0).shouldBeEmpty()
        disturbed(1, 20).shouldBeEmpty()
        disturbed(2, 39).told() shouldBe
            listOf("2 of 39 trials were disturbed; each says by what in its warnings." to "2 of 39 trials disturbed")
    }

    @Test
    fun `a trial may lose a quarter of a processor to others, and no more`() {
        MachineRules.trial(MachineSpan(othersProcessors = 0.25)).shouldBeEmpty()
        MachineRules.trial(MachineSpan(othersProcessors = 0.26, othersBusy = 1)) shouldBe
            listOf("Others kept 0.26 processors busy during the trial, one busy process among them.")
    }

    @Test
    fun `a trial may lose a fiftieth of its time to other guests, and no more`() {
        MachineRules.trial(MachineSpan(stealShare = 0.02)).shouldBeEmpty()
        MachineRules.trial(MachineSpan(stealShare = 0.021)) shouldBe
            listOf("The host gave 2.1 % of the processors' time to other guests during the trial.")
    }

    @Test
    fun `a quota may withhold 10 ms from a trial, and no more`() {
        MachineRules.trial(MachineSpan(throttledMs = 10.0)).shouldBeEmpty()
        MachineRules.trial(MachineSpan(throttledMs = 10.1)) shouldBe
            listOf("A quota of the control group withheld 10.1 ms of processor time during the trial.")
    }

    @Test
    fun `a mebibyte of swapped pages is none yet, more is`() {
        MachineRules.trial(MachineSpan(swappedPages = 256)).shouldBeEmpty()
        MachineRules.trial(MachineSpan(swappedPages = 257)) shouldBe listOf("257 pages went to swap or came from it during the trial.")
    }

    @Test
    fun `what is not readable breaks no rule, and the load alone disturbs no trial`() {
        MachineRules.findings(machine, MachineReadings(MachineSettings())).shouldBeEmpty()
        MachineRules.trial(MachineSpan()).shouldBeEmpty()
        // Our own trials make the load.
        MachineRules.trial(MachineSpan(load = 50.0)).shouldBeEmpty()
    }
}
