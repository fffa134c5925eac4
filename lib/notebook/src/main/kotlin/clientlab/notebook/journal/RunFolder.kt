package clientlab.notebook.journal

import clientlab.*
import clientlab.machine.*
import clientlab.notebook.home.*
import java.io.IOException
import java.nio.file.Path
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.createParentDirectories
import kotlin.io.path.exists
import kotlin.io.path.name
import kotlin.io.path.relativeTo
import kotlin.random.Random

/** One run on the disk: a folder with a manifest and trials. */
public class RunFolder(public val path: Path) {
    /** The id of the run. It is the folder's name until the run is published under another name. */
    public val run: String get() = if (path.isRun) manifest.run else path.name

    public val manifest: Manifest by lazy { Manifest.read(path) }

    /** Every trial kept, warm-ups and invalid ones too, in the order in which they ended. */
    public fun trials(): List<Trial> = Journal.read(path)

    /** What was measured and then measured again, because other work on the machine disturbed it. It counts nowhere. */
    public fun repeatedTrials(): List<Trial> = RepeatedTrials.read(path)

    /** What happened on the machine during each trial; none for runs from before there were readings. */
    public fun readings(): List<TrialReading> = MachineJournal.read(path)

    /** The folder of what is kept of the cell client [id]. */
    internal fun serialized(id: String): Path = path.resolve(SerializedFiles.FOLDER).resolve(id)

    public companion object {
        private val STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC)

        /** A new, empty folder for a run of [experiment]; its name is the time and four random digits, so that no two are the same. */
        internal fun create(experiment: Experiment<*>, now: Instant = Instant.now()): RunFolder {
            val id = "${STAMP.format(now)}-${Random.nextInt(0x1000, 0x10000).toString(16)}"
            val folder = LabHome.raw.resolve(experiment.name).resolve(id)
            try {
                return RunFolder(folder.createDirectories())
            } catch (e: IOException) {
                throw LabException("The folder $folder could not be made (${e.message}), so the run did not begin: make room there.", e)
            }
        }

        /** The published run of [experiment] under [label]. */
        public fun published(experiment: String, label: String): RunFolder {
            val name = "$experiment-$label"
            return publishedAs(name)
                ?: throw LabException("No data are published for $experiment under '$label'${choice(experiment, name)}")
        }

        /** The run with the id [run], or the published one whose data have that name, as in `threads-2026-11`. */
        internal fun named(run: String): RunFolder = publishedAs(run) ?: withId(run)

        private fun publishedAs(name: String) = LabHome.allPublished.flatMap(::runsIn).find { it.path.name == name }

        /** What is published of [experiment], or of an experiment whose data have a name like [name]. */
        private fun choice(experiment: String, name: String): String {
            val all = LabHome.allPublished.flatMap(::runsIn).map { it.path.name }
            val labels = all.filter { it.startsWith("$experiment-") }.map { it.removePrefix("$experiment-") }
            return when {
                labels.isNotEmpty() -> "; there is ${labels.joinToString()}."
                all.isEmpty() -> "; nothing is published yet."
                else -> ": " + didYouMean(name, all).trim().ifEmpty { "published are ${all.joinToString()}." }
            }
        }

        /** Copies the run [run] of [experiment], or its newest, to the published data under [label]; [state] gives a run's state. */
        internal fun publish(experiment: String, label: String, run: String?, state: (RunFolder) -> String): Path {
            val found = all(experiment).firstOrNull { run == null || it.run == run }
                ?: throw LabException("There is no run ${run.orEmpty()} of $experiment here to publish.")
            val now = state(found)
            if (now != "finished") throw LabException("The run ${found.run} is $now; only a finished run is published.")
            refuseDisturbed(found)
            val target = RunFolder(LabHome.published.resolve("$experiment-$label"))
            if (target.path.exists()) {
                throw LabException(
                    "$experiment is published under '$label' already, and published data are never changed: choose another label.",
                )
            }
            val profiles = found.path.resolve(ProfileFile.FOLDER).entries("*.gz")
            val readings = listOf(found.path.resolve(MachineJournal.FILE)).filter { it.exists() }
            (listOf(found.path.resolve(Manifest.FILE)) + readings + profiles).forEach {
                it.copyTo(target.path.resolve(it.relativeTo(found.path)).createParentDirectories())
            }
            Journal.compress(found.path, target.path)
            RepeatedTrials.compress(found.path, target.path)
            found.manifest.serializedClients.forEach { (id, files) -> files.copy(found.serialized(id), target.serialized(id)) }
            PublishedFiles.add(target.path)
            return target.path
        }

        /**
         * Other work on the machine is no evidence about a client, and we do not choose which of the trials it hit. A run of fewer than
         * [FEWEST] trials decides no claim, so it may be published all the same.
         */
        private fun refuseDisturbed(found: RunFolder) {
            val readings = found.manifest.readings ?: return
            val disturbed = found.manifest.experiment.workload.spoilt?.let { found.with(it) } ?: readings.disturbed.size
            refuseUnless(readings.trials < FEWEST || disturbed * MOST_DISTURBED <= readings.trials) {
                "$disturbed of ${readings.trials} trials were disturbed by other work on this machine, and a published run has at most " +
                    "one in $MOST_DISTURBED: end the other work and measure again."
            }
        }

        /** How many of its trials have [metric] above zero. */
        private fun RunFolder.with(metric: Metric) = trials().count { !it.warmup && (it.metrics[metric.name] ?: 0.0) > 0 }

        private const val MOST_DISTURBED = 10
        private const val FEWEST = 5

        /** The folder that holds the run with the id [run], made here or published. */
        public fun withId(run: String): RunFolder = find(run) ?: throw LabException("No folder of data holds the run $run any more.")

        /** That folder, or null if there is none. */
        internal fun find(run: String): RunFolder? {
            val tops = LabHome.raw.entries() + LabHome.allPublished.flatMap { it.entries() }
            return tops.flatMap { listOf(it) + it.entries() }.firstOrNull { it.isRun && idOf(it) == run }?.let(::RunFolder)
        }

        /** The name under which the run with the id [run] is published, whether its raw folder is still here or not; null where it is not. */
        internal fun nameOf(run: String): String? =
            LabHome.allPublished.flatMap { it.entries() }.firstOrNull { it.isRun && idOf(it) == run }?.name

        /** The id of the run in [folder], read once because it never changes; empty if the manifest cannot be read. */
        private fun idOf(folder: Path): String = ids.getOrPut(folder) { runCatching { RunFolder(folder).run }.getOrDefault("") }

        private val ids = ConcurrentHashMap<Path, String>()

        /** The names of the experiments that were run here, by the alphabet. */
        internal fun experiments(): List<String> = LabHome.raw
            .entries()
            .filter { runsIn(it).isNotEmpty() }
            .map { it.name }

        /** All runs of [experiment] made here, the newest first. */
        public fun all(experiment: String): List<RunFolder> = runsIn(LabHome.raw.resolve(experiment)).reversed()

        private fun runsIn(folder: Path): List<RunFolder> = folder.entries().filter { it.isRun }.map(::RunFolder)

        private val Path.isRun get() = resolve(Manifest.FILE).exists()
    }
}
