package clientlab.notebook.run

import clientlab.*
import clientlab.machine.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.MadeTrials.trial
import clientlab.probe.*
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.appendText
import kotlin.io.path.createParentDirectories
import kotlin.io.path.writeText

class MachineWatchTest(
    @param:TempDir private val folder: Path,
) {
    private val root = folder.resolve("root")
    private val fuel = Treatment(Factor.CLIENT to "fuel")

    private var reads = 0L

    /** Each reading is a second after the one before. */
    private fun nanos() = reads++ * 1_000_000_000

    /** Ticks of two processors: all of them, and those that were stolen. */
    private fun ticks(all: Long, steal: Long) =
        root
            .resolve("proc/stat")
            .createParentDirectories()
            .writeText("cpu  0 0 0 ${all - steal} 0 0 0 $steal\ncpu0 0\ncpu1 0\n")

    @Test
    fun `each reading says what happened during the trial just ended, and the run's says it of all`() {
        val watch = MachineWatch(SystemFiles(root), ::nanos) {
            ticks(2200, 100)
            Calibration(1.0, 2.0, 3.0, 4.0)
        }
        ticks(2000, 0)
        watch.before()
        watch.readings shouldBe
            MachineReadings(
                MachineSettings(),
                Calibration(1.0, 2.0, 3.0, 4.0),
                before = MachineSpan(seconds = 1.0, stealShare = 0.5),
            )
        // What the server took to start is in no trial.
        ticks(3000, 900)
        watch.begin()
        ticks(3200, 902)
        watch.ended(listOf(Planned(0, fuel))).single().disturbed shouldBe emptyList()
        ticks(3400, 1002)
        val reading = watch.ended(listOf(Planned(1, fuel))).single()
        reading shouldBe
            TrialReading(
                1,
                fuel,
                MachineSpan(seconds = 1.0, stealShare = 0.5),
                listOf("The host gave 50.0 % of the processors' time to other guests during the trial."),
            )
        watch.readings.trials shouldBe 2
        watch.readings.disturbed shouldBe listOf(DisturbedTrial(1, "fuel", reading.disturbed))
        watch.readings.during shouldBe MachineSpan(seconds = 2.0, stealShare = 0.255)
    }

    @Test
    fun `both trials of a duet have the same reading, and both are measured again or neither`() {
        val watch = MachineWatch(SystemFiles(root), ::nanos, { null }) { null }
        val duet = listOf(Planned(0, fuel), Planned(0, Treatment(Factor.CLIENT to "ktor")))
        ticks(2000, 0)
        watch.before()
        watch.begin()
        ticks(2200, 100)
        val (one, other) = watch.ended(duet, repeats = true)
        one.disturbed.size shouldBe 1
        other shouldBe one.copy(treatment = duet[1].treatment)
        watch.readings.let { it.trials to it.repeated.map { trial -> trial.treatment } } shouldBe (0 to listOf("fuel", "ktor"))
        ticks(2400, 100)
        watch.ended(duet, repeats = true).flatMap { it.disturbed } shouldBe emptyList()
        watch.readings.trials shouldBe 2
    }

    @Test
    fun `where nothing is readable a run is watched all the same, and nothing is said`() {
        val watch = MachineWatch(SystemFiles(root), ::nanos) { null }
        watch.before()
        watch.begin()
        watch.ended(listOf(Planned(0, fuel))) shouldBe listOf(TrialReading(0, fuel, MachineSpan()))
        watch.readings shouldBe MachineReadings(MachineSettings(), before = MachineSpan(), during = MachineSpan(), trials = 1)
    }

    @Test
    fun `the pace between rounds is kept, also that of an earlier part, and what it takes belongs to no trial`() {
        val pace = Pace(200.0, 1.0, 20.0, 1.0)
        val watch = MachineWatch(SystemFiles(root), ::nanos, pace = {
            ticks(3000, 900)
            pace
        }) { null }
        ticks(2000, 0)
        val earlier = PaceReading(null, 0, pace)
        watch.before(MachineReadings(MachineSettings(), pace = listOf(earlier)))
        watch.begin()
        watch.betweenRounds(null, 0)
        watch.readings.pace shouldBe listOf(earlier, PaceReading(null, 0, pace))
        ticks(3200, 900)
        watch.ended(listOf(Planned(0, fuel))).single().span shouldBe MachineSpan(seconds = 1.0, stealShare = 0.0)
        watch.betweenRounds(0, null)
        watch.readings.pace.last() shouldBe PaceReading(0, null, pace)
    }

    @Test
    fun `the measured trial is warned of what disturbed it, behind its own warnings, and its warm-up is not`() {
        val reading = TrialReading(0, fuel, MachineSpan(), listOf("One.", "Two."))
        val trials = listOf(trial("fuel", warmup = true), trial("fuel", warnings = listOf("Own.")))
        trials.warnedBy(reading).map { it.warnings } shouldBe listOf(emptyList(), listOf("Own.", "One.", "Two."))
    }

    @Test
    fun `readings are kept a line each, and a torn last line is passed over`() {
        val readings = listOf(
            TrialReading(0, fuel, MachineSpan(seconds = 2.5, load = 0.5, swappedPages = 3)),
            TrialReading(1, fuel, MachineSpan(), listOf("Words.")),
        )
        MachineJournal.read(folder) shouldBe emptyList()
        MachineJournal(folder).use { journal -> readings.forEach(journal::append) }
        folder.resolve(MachineJournal.FILE).appendText("{\"round\": 2, \"treat")
        MachineJournal.read(folder) shouldBe readings
    }
}
