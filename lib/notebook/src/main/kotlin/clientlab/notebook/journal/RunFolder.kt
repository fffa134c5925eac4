package clientlab.notebook.journal

import clientlab.*
import clientlab.notebook.home.*
import java.io.IOException
import java.nio.file.Path
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.random.Random

/** One run on the disk: a folder with a manifest and trials. */
public class RunFolder(public val path: Path) {
    /** The id of the run. It is the folder's name until the run is published under another name. */
    public val run: String get() = if (path.resolve(Manifest.FILE).exists()) manifest.run else path.name

    public val manifest: Manifest by lazy { Manifest.read(path) }

    /** Every trial kept, warm-ups and invalid ones too, in the order in which they ended. */
    public fun trials(): List<Trial> = Journal.read(path)

    /** What happened on the machine during each trial; none for runs from before there were readings. */
    public fun readings(): List<TrialReading> = MachineJournal.read(path)

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
            val folder = LabHome.published.resolve("$experiment-$label")
            if (folder.resolve(Manifest.FILE).exists()) return RunFolder(folder)
            throw LabException("No data are published for $experiment under '$label'${choice(experiment, folder.name)}")
        }

        /** What is published of [experiment], or of an experiment whose data have a name like [name]. */
        private fun choice(experiment: String, name: String): String {
            val all =
                LabHome.published
                    .takeIf { it.exists() }
                    ?.listDirectoryEntries()
                    .orEmpty()
                    .filter { it.resolve(Manifest.FILE).exists() }
                    .map { it.name }
                    .sorted()
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
            val folder = found ?: throw LabException("There is no run ${run.orEmpty()} of $experiment here to publish.")
            val now = state(folder)
            if (now != "finished") throw LabException("The run ${folder.run} is $now; only a finished run is published.")
            val target = LabHome.published.resolve("$experiment-$label")
            if (target.exists()) {
                throw LabException(
                    "$experiment is published under '$label' already, and published data are never changed: choose another label.",
                )
            }
            target.createDirectories()
            listOf(Manifest.FILE, Journal.FILE).forEach { folder.path.resolve(it).copyTo(target.resolve(it)) }
            folder.path
                .resolve(MachineJournal.FILE)
                .takeIf { it.exists() }
                ?.let { it.copyTo(target.resolve(it.name)) }
            folder.path.resolve(ProfileFile.FOLDER).takeIf { it.exists() }?.let { profiles ->
                val to = target.resolve(ProfileFile.FOLDER).createDirectories()
                profiles.listDirectoryEntries("*.gz").forEach { it.copyTo(to.resolve(it.name)) }
            }
            found.manifest.serializedClients.forEach { (id, files) ->
                files.copy(folder.path.resolve(SerializedFiles.FOLDER).resolve(id), target.resolve(SerializedFiles.FOLDER).resolve(id))
            }
            return target
        }

        /** The folder that holds the run with the id [run], made here or published. */
        public fun withId(run: String): RunFolder = find(run) ?: throw LabException("No folder of data holds the run $run any more.")

        /** The same, or null if no folder has it. */
        internal fun find(run: String): RunFolder? {
            val tops = listOf(LabHome.raw, LabHome.published).filter { it.exists() }.flatMap { it.listDirectoryEntries() }
            val folders = tops.filter { it.isDirectory() }.flatMap { top ->
                listOf(top) +
                    top.listDirectoryEntries().filter { it.isDirectory() }
            }
            return folders.firstOrNull { it.resolve(Manifest.FILE).exists() && idOf(it) == run }?.let(::RunFolder)
        }

        /** The id of the run in [folder], read once because it never changes; empty if the manifest cannot be read. */
        private fun idOf(folder: Path): String = ids.getOrPut(folder) { runCatching { RunFolder(folder).run }.getOrDefault("") }

        private val ids = ConcurrentHashMap<Path, String>()

        /** The names of the experiments that were run here, by the alphabet. */
        internal fun experiments(): List<String> =
            LabHome.raw
                .takeIf { it.isDirectory() }
                ?.listDirectoryEntries()
                .orEmpty()
                .map { it.name }
                .filter { all(it).isNotEmpty() }
                .sorted()

        /** All runs of [experiment] made here, the newest first. */
        public fun all(experiment: String): List<RunFolder> {
            val folder = LabHome.raw.resolve(experiment)
            if (!folder.isDirectory()) return emptyList()
            return folder
                .listDirectoryEntries()
                .filter {
                    it.resolve(Manifest.FILE).exists()
                }.sortedByDescending { it.name }
                .map(::RunFolder)
        }
    }
}
