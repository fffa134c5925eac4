package clientlab.notebook.journal

import clientlab.*
import clientlab.machine.*
import clientlab.workloads.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import java.io.FileOutputStream
import java.io.IOException
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.deleteIfExists
import kotlin.io.path.moveTo
import kotlin.io.path.readText

/**
 * The description of a run: everything that is needed to say where a number comes from.
 *
 * @property startedAt and [endedAt] in UTC, ISO 8601; [endedAt] is missing while the run is in progress and after it was killed.
 * @property state `running`, `finished`, `interrupted` or `failed`; one that is `running` and holds no lock was killed.
 * @property versions of every library that a trial JVM can load, by `group:name` or file name.
 * @property jars SHA-256 of every jar on the trial JVM's classpath, and of the server's, by file name.
 * @property jvmArgs the options of every trial JVM; a treatment's own options are added.
 * @property commit the commit of the lab, and [dirty] whether its files differed from it; null outside a git checkout.
 * @property notes events of the run: servers that ended, lines that were cut off, when it was resumed and what differed then.
 * @property rule when a run with a precision ends, and [stopped] why it did; both are missing without a precision.
 * @property shards the runs that it was merged from, with the rounds of each; missing if it was not merged.
 * @property libraries per client whose id names a version, the artifacts that its forks had instead of those in [versions].
 * @property readings of the machine before and during the run; missing in older runs.
 * @property registered the hashes of the claims that were registered for this experiment when the run began, by claim.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
public data class Manifest(
    val run: String,
    val experiment: Experiment<Workload>,
    val startedAt: String,
    val machine: Machine,
    val versions: Map<String, String>,
    val jars: Map<String, String>,
    val jvmArgs: List<String>,
    val server: Map<String, String> = emptyMap(),
    val commit: String? = null,
    val dirty: Boolean? = null,
    val state: String = "running",
    val endedAt: String? = null,
    val notes: List<String> = emptyList(),
    val rule: String? = null,
    val stopped: String? = null,
    val readings: MachineReadings? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val shards: List<ShardRun> = emptyList(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val libraries: Map<String, List<String>> = emptyMap(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) @SerialName("carried") val serializedClients: Map<String, SerializedFiles> = emptyMap(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val registered: Map<String, String> = emptyMap(),
    val schemaVersion: Int = Trial.SCHEMA_VERSION,
) {
    /** What a reader should know about the run's machine, by today's rules. An older run has only its load. */
    public fun findings(): List<Finding> = MachineRules.findings(machine, readings)

    /** The machine's pace, one for each machine of a merged run; without rounds in older runs. */
    public fun paces(): List<RunPace> = (
        if (shards.isEmpty()) {
            listOf(readings)
        } else {
            shards.map {
                it.readings
            }
        }
    ).map { RunPace(it?.pace.orEmpty()) }

    /** Writes it into [folder], whole or not at all. If there is no room, the previous one stays and a [LabException] says so. */
    internal fun write(folder: Path) {
        val half = folder.resolve("$FILE.half")
        try {
            FileOutputStream(half.toFile()).use {
                it.write((pretty.encodeToString(this) + "\n").toByteArray())
                it.fd.sync()
            }
            half.moveTo(folder.resolve(FILE), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE)
        } catch (e: IOException) {
            runCatching { half.deleteIfExists() }
            throw LabException("The manifest could not be written to $folder (${e.message}): make room there.", e)
        }
    }

    internal companion object {
        const val FILE = "manifest.json"
        private val pretty = Json(ExperimentJson) { prettyPrint = true }

        fun read(folder: Path): Manifest = ExperimentJson.decodeFromString(folder.resolve(FILE).readText())
    }
}

/** A part of a merged run, and the machine on which it was made. No other part has the numbers of its [rounds]. */
@Serializable
public data class ShardRun(
    val run: String,
    val shard: Shard,
    val rounds: List<Int>,
    val machine: Machine,
    val startedAt: String,
    val endedAt: String?,
    val state: String,
    val readings: MachineReadings? = null,
)
