package clientlab.notebook.journal

import clientlab.*
import clientlab.notebook.home.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * The run that is planned for a claim: an experiment by its name, with all its treatments, how often it repeats a disturbed trial, and whether
 * it is a duet.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
public data class Plan(
    val experiment: String,
    val forks: Int,
    val seed: Long,
    val treatments: List<Treatment>,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val repeats: Int = 0,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val duet: Boolean = false,
) {
    public companion object {
        /** The plan that [experiment] is. */
        public fun of(experiment: Experiment<*>): Plan =
            Plan(experiment.name, experiment.forks, experiment.seed, experiment.treatments, experiment.repeats, experiment.duet)
    }
}

/** One part of a claim before its run: what is measured, and the bound that it must keep; null where an end is open. */
@Serializable
public data class StatedPart(val of: String, val metric: String, val low: Double? = null, val high: Double? = null)

/**
 * All that a claim states before its run. Two statements that differ in any of it have different hashes.
 *
 * @property runs the names under which the runs that decide it are to be published.
 * @property plan the run that is planned; [more] has the others, where several decide it together.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
public data class Statement(
    val block: String,
    val source: String,
    val words: String,
    val figure: String,
    val runs: List<String>,
    val parts: List<StatedPart>,
    val plan: Plan,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val more: List<Plan> = emptyList(),
) {
    /** The first 16 digits of the SHA-256 of the statement as JSON. */
    public val hash: String get() = Sha256.of(Json.encodeToString(this)).take(DIGITS)

    /** Every planned run. */
    public val plans: List<Plan> get() = listOf(plan) + more
}

/**
 * A claim as it was registered on a day: a file in `data/registered` that is never changed. A claim that changes is registered again, with
 * the next [number] and a reason, and needs a new run.
 *
 * @property on the day, in UTC.
 * @property because why it differs from the registration before; null for the first.
 */
@Serializable
public data class Registration(
    val claim: String,
    val number: Int,
    val on: String,
    val hash: String,
    val statement: Statement,
    val because: String? = null,
) {
    public companion object {
        private val pretty = Json { prettyPrint = true }

        /** The registration in force of each claim that has one: the last. */
        public fun inForce(): Map<String, Registration> = read("*.json").associateBy { it.claim }

        /** The registration in force of [claim], or null if it has none. */
        public fun of(claim: String): Registration? = read("$claim.*.json").lastOrNull()

        private fun read(glob: String) =
            LabHome.allRegistered
                .flatMap { it.entries(glob) }
                .map { Json.decodeFromString<Registration>(it.readText()) }
                .sortedBy { it.number }

        /** The hashes in force of the claims that plan the experiment [name], by claim: a run's manifest keeps them. */
        internal fun hashesFor(name: String): Map<String, String> =
            inForce()
                .filterValues { registration -> registration.statement.plans.any { it.experiment == name } }
                .mapValues { (_, registration) -> registration.hash }

        /** Writes [registration] into a file of its own; fails if that is there. */
        internal fun write(registration: Registration): Path {
            val file = LabHome.registered.createDirectories().resolve("${registration.claim}.${registration.number}.json")
            refuseUnless(!file.exists()) { "$file is there already, and a registration is never changed." }
            file.writeText(pretty.encodeToString(registration) + "\n")
            return file
        }
    }
}

private const val DIGITS = 16
