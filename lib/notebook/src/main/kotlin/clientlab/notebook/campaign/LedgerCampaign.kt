package clientlab.notebook.campaign

import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.claim.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.run.*
import clientlab.workloads.*
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import java.nio.file.Path
import java.time.Instant
import kotlin.io.path.createParentDirectories
import kotlin.io.path.exists
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource

/**
 * A run of a [LedgerCampaign].
 *
 * @property again the published run whose experiment it makes again; clients from cells are those that are kept there.
 * @property claims the claims that rest on it, and so what its [minutes] are spent for.
 * @property repeats whether it repeats [again] on another day. Otherwise it is to stand in its place.
 */
@Serializable
internal data class PlannedRun(
    val again: String,
    val experiment: Experiment<Workload>,
    val claims: List<String>,
    val minutes: Int,
    val repeats: Boolean = false,
)

/**
 * What the evidence of the ledger lacks, measured. A run with fewer than [FORKS] forks, or with a claim that was not registered before it,
 * is made anew: with [FORKS] forks at least, a seed of its own, and [TWICE] of its treatments measured twice for the noise. A run that lacks
 * nothing but another day is repeated as it is, with another seed. What takes the fewest minutes for a claim comes first.
 *
 * Its runs are made one after another, on as many days as it takes, and published under [label]. The file of a campaign says how the whole
 * ledger was made. Planning it registers the claims, so commit the registrations before the first run.
 */
@Serializable
internal data class LedgerCampaign(val label: String, val runs: List<PlannedRun>, val versions: Map<String, String>) {
    /** The runs that are not published yet. */
    val open: List<PlannedRun> get() = runs.filterNot { LabHome.published.resolve(it.publishedAs(label)).exists() }

    /**
     * Makes the open runs in their order, and publishes each. One that was interrupted goes on; one that would not end within [budget] is
     * left for another time, and so is one that repeats a run of today. A run that must not be published, because of other work on the
     * machine, stays open. Tells [said] each outcome.
     *
     * @param only the names of the experiments to make; all if none is named.
     */
    fun run(budget: Duration, listener: ProgressListener, only: List<String> = emptyList(), said: (String) -> Unit) {
        val known = runs.map { it.experiment.name }
        only.firstOrNull { it !in known }?.let { throw LabException("The campaign has no run '$it': it has ${known.joinToString()}.") }
        val here = CatalogueReader.catalogue.versions
        refuseUnless(here == versions) {
            val other = (here.keys + versions.keys).first { here[it] != versions[it] }
            "The campaign was planned with $other ${versions[other] ?: "missing"}, and here is ${here[other] ?: "none"}: " +
                "plan it anew, under another label."
        }
        val began = TimeSource.Monotonic.markNow()
        open.filter { only.isEmpty() || it.experiment.name in only }.forEach { planned ->
            val name = planned.publishedAs(label)
            if (planned.repeats && !Repeats.wouldCount(planned.again)) {
                said("$name is left for another day: ${planned.again} was made today.")
                return@forEach
            }
            if (began.elapsedNow() + planned.minutes.minutes > budget) {
                said("$name is left for another time: it takes about ${planned.minutes} min.")
                return@forEach
            }
            val folder = planned.make(listener)
            try {
                planned.experiment.publish(label, folder.run)
                said("$name is published.")
            } catch (refused: LabException) {
                said("$name stays open. ${refused.message}")
            }
        }
    }

    /** What it costs, a line for each run, and in all. */
    fun costs(): String {
        val lines = runs.map {
            val what = if (it.repeats) ", another day of ${it.again}" else ""
            "${it.publishedAs(label)}: ${it.minutes} min, ${it.experiment.forks} forks$what, for ${it.claims.joinToString()}"
        }
        return (lines + "In all ${runs.sumOf { it.minutes }} min, ${open.sumOf { it.minutes }} of them open.").joinToString("\n")
    }

    fun write() {
        file(label).createParentDirectories().writeText(PRETTY.encodeToString(this) + "\n")
    }

    companion object {
        /** An interval over fewer forks holds less than it says. */
        const val FORKS = 8

        /** How many treatments each run measures twice, at most. */
        const val TWICE = 2

        private val PRETTY = Json(ExperimentJson) { prettyPrint = true }

        /** The campaign under [label] if it is planned, or null. */
        fun planned(label: String): LedgerCampaign? =
            file(label).takeIf { it.exists() }?.let { ExperimentJson.decodeFromString<LedgerCampaign>(it.readText()) }

        /**
         * Plans to measure what the evidence of [claims] lacks, and registers those of which a run is made anew. Of several runs of one name
         * the cheapest for its claims is planned, because only one can have the label; another label has the next. Fails if nothing is lacking.
         */
        fun plan(label: String, because: String, claims: List<Claim> = Claims.all): LedgerCampaign {
            val measured = claims.filter { it.untestable == null && it.evidence.isNotEmpty() }
            val runs = measured
                .flatMap { it.evidence }
                .distinct()
                .mapNotNull { name -> planned(label, RunFolder.named(name), measured.filter { name in it.evidence }) }
                .sortedBy { it.minutes.toDouble() / it.claims.size }
                .distinctBy { it.experiment.name }
            refuseUnless(runs.isNotEmpty()) { "The evidence lacks nothing: each run has $FORKS forks, registered claims and another day." }
            register(measured, runs.filterNot { it.repeats }.associateBy { it.again }, label, because)
            return LedgerCampaign(label, runs, CatalogueReader.catalogue.versions).also { it.write() }
        }

        /** Registers the [claims] of which a run is made [anew]; what else they rest on stays as it is. */
        private fun register(claims: List<Claim>, anew: Map<String, PlannedRun>, label: String, because: String) {
            val statements = claims.filter { claim -> claim.evidence.any { it in anew } }.associate { claim ->
                val plans = claim.evidence.map { Plan.of(anew[it]?.experiment ?: RunFolder.named(it).manifest.experiment) }
                claim.id to claim.statement(plans, claim.evidence.map { anew[it]?.publishedAs(label) ?: it })
            }
            registerStatements(statements, because)
        }

        private fun planned(label: String, folder: RunFolder, claims: List<Claim>): PlannedRun? {
            val name = folder.path.name
            val before = folder.manifest.experiment
            val stands = before.forks >= FORKS && claims.all { it.wasRegistered(folder.run) }
            if (stands && Repeats.of(name).isNotEmpty()) return null
            val forks = maxOf(FORKS, before.forks)
            val twice = if (!stands && before.aliases.isEmpty()) minOf(TWICE, before.copy(twice = 0).treatments.size) else before.twice
            val workload = before.workload.asSetNow()
            val again = before.copy(workload = workload, forks = forks, seed = seedOf(label, before.name), twice = twice, shard = null)
            val scale = again.treatments.size.toDouble() * forks / (before.treatments.size * before.forks)
            val minutes = ceil(folder.manifest.minutes() * scale).toInt().coerceAtLeast(1)
            return PlannedRun(name, again, claims.map { it.id }, minutes, repeats = stands)
        }

        /** A seed for each run: with one and the same, all runs would repeat one order. */
        private fun seedOf(label: String, experiment: String): Long = Math.floorMod("$experiment-$label".hashCode(), MOST_SEEDS).toLong()

        private fun file(label: String): Path = LabHome.campaigns.resolve("ledger-$label.json")

        private fun Manifest.minutes(): Double {
            val end = endedAt?.let(Instant::parse) ?: return 0.0
            return (end.toEpochMilli() - Instant.parse(startedAt).toEpochMilli()) / MS_PER_MINUTE
        }

        private const val MOST_SEEDS = 100_000
        private const val MS_PER_MINUTE = 60_000.0
    }
}

private fun PlannedRun.publishedAs(label: String) = "${experiment.name}-$label"

/** Runs the experiment, or goes on with its unfinished run, and returns the finished one. */
private fun PlannedRun.make(listener: ProgressListener): RunFolder {
    val begun = Campaign.runsOf(experiment).firstOrNull { it.manifest.state != Unfinished.FINISHED }
    val run = Run(experiment, listener, again = RunFolder.named(again).takeIf { it.manifest.serializedClients.isNotEmpty() })
    return begun?.let { run.resume(it.run, anyway = false) } ?: run.execute()
}
