package clientlab.notebook.journal

import clientlab.Experiment
import clientlab.LabJson
import clientlab.Trial
import clientlab.run.Finding
import clientlab.run.Machine
import clientlab.run.MachineReadings
import clientlab.run.MachineRules
import kotlinx.serialization.Serializable
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.moveTo
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * What a run was: all that is needed to say where a number comes from.
 *
 * @property run the id of the run, and the name of its folder.
 * @property startedAt and [endedAt] in UTC, ISO 8601; [endedAt] is missing while the run goes on and where it was killed.
 * @property state `running`, `finished`, `interrupted` or `failed`.
 * @property versions of every library that a trial JVM can load, by `group:name` or file name.
 * @property jars SHA-256 of every jar on the trial JVM's classpath, and of the server's, by file name.
 * @property jvmArgs the options of every trial JVM; those of a treatment come on top.
 * @property commit the commit of the lab, and [dirty] whether its files differed from it; null outside a git checkout.
 * @property readings what was read of the machine before and during the run; missing where the run was made before there was any.
 */
@Serializable
public data class Manifest(
    val run: String,
    val experiment: Experiment,
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
    val readings: MachineReadings? = null,
    val schemaVersion: Int = Trial.SCHEMA_VERSION,
) {
    /** What a reader of this run's numbers should know of its machine, by the rules of today; of an older run the load alone tells. */
    public fun findings(): List<Finding> = MachineRules.findings(machine, readings)

    /** Writes it into [folder], whole or not at all. */
    internal fun write(folder: Path) {
        val half = folder.resolve("$FILE.half")
        half.writeText(pretty.encodeToString(this) + "\n")
        half.moveTo(folder.resolve(FILE), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE)
    }

    internal companion object {
        const val FILE = "manifest.json"
        private val pretty = kotlinx.serialization.json.Json(LabJson) { prettyPrint = true }

        fun read(folder: Path): Manifest = LabJson.decodeFromString(folder.resolve(FILE).readText())
    }
}
