package clientlab.notebook.campaign

import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.run.*
import clientlab.workloads.*
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import java.nio.file.Path
import kotlin.io.path.createParentDirectories
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * An experiment that is too large for one machine or one night: planned once, run in [shards] of its rounds on any machines, and merged.
 *
 * A scheduler decides which shard runs where and when. A shard needs this file alone, and the same [versions] of the libraries.
 */
@Serializable
internal data class Campaign(
    val experiment: Experiment<Workload>,
    val shards: Int,
    val versions: Map<String, String>,
    val schemaVersion: Int = Trial.SCHEMA_VERSION,
) {
    /** The experiment of one shard. */
    fun part(shard: Shard): Experiment<*> {
        if (shard.of != shards) throw LabException("The campaign has $shards shards, not ${shard.of}: give one such as --shard 1/$shards.")
        return experiment.copy(shard = shard)
    }

    /** Runs or continues the [shard] here and returns its run. Throws [LabException] if the libraries differ from the planned ones. */
    fun run(shard: Shard, listener: ProgressListener, server: String?, onBusy: ((RunGoingOn) -> Unit)? = null): RunFolder {
        val here = CatalogueReader.catalogue.versions
        if (here != versions) {
            val other = (here.keys + versions.keys).first { here[it] != versions[it] }
            throw LabException(
                "The campaign was planned with $other ${versions[other] ?: "missing"}, and here is ${here[other] ?: "none"}: " +
                    "run every shard from one commit of the lab, or plan anew.",
            )
        }
        val part = part(shard)
        val before = runsOf(part)
        before.firstOrNull { it.manifest.state == Unfinished.FINISHED }?.let { return it }
        val run = Run(part, listener, here, remote = server, onBusy = onBusy)
        return before.firstOrNull()?.let { run.resume(it.run, anyway = false) } ?: run.execute()
    }

    fun write(file: Path) {
        file.createParentDirectories().writeText(PRETTY.encodeToString(this) + "\n")
    }

    companion object {
        private val PRETTY = Json(ExperimentJson) { prettyPrint = true }

        fun read(file: Path): Campaign {
            if (!file.exists()) {
                throw LabException("There is no campaign in $file: plan one, as in ./lab campaign plan threads-2026-11 --shards 8.")
            }
            return runCatching { ExperimentJson.decodeFromString<Campaign>(file.readText()) }
                .getOrElse { throw LabException("$file is not a campaign (${it.message?.lineSequence()?.first()}): plan it again.", it) }
        }

        /** Plans [experiment] in [shards] parts. */
        fun of(experiment: Experiment<*>, shards: Int): Campaign {
            experiment.own.firstOrNull()?.info?.id?.let {
                throw LabException("The client '$it' is in this notebook alone, and a shard has no notebook: leave it out.")
            }
            // Refuses a number of shards that the experiment cannot have.
            experiment.copy(shard = Shard(1, shards))
            return Campaign(experiment.copy(shard = null), shards, CatalogueReader.catalogue.versions)
        }

        /** The runs of the shard [part] made here, the newest first. */
        fun runsOf(part: Experiment<*>): List<RunFolder> = RunFolder.all(part.name).filter { it.manifest.experiment == part }
    }
}

/**
 * Plans this experiment as a campaign of [shards] shards, and returns its file, `data/campaigns/<name>.json`: `./lab campaign run <file>
 * --shard 1/8` runs a shard on any machine with the same commit of the lab, and `./lab campaign merge <file>` makes one run of them.
 */
public fun Experiment<*>.campaign(shards: Int): String {
    val file = LabHome.campaigns.resolve("$name.json")
    Campaign.of(this, shards).write(file)
    return LabHome.root.relativize(file).toString()
}
