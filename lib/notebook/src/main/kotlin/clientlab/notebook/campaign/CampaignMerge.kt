package clientlab.notebook.campaign

import clientlab.*
import clientlab.notebook.journal.*
import clientlab.notebook.run.*

/** Makes one run of the shards of a campaign. */
internal object CampaignMerge {
    /**
     * The shards of [campaign] among the runs that are here, as one run in a folder of its own. The machine of each round is kept. Throws
     * [LabException] if a shard or a trial is missing or there twice, or if shards have different libraries.
     */
    fun merge(campaign: Campaign): RunFolder {
        val parts = (1..campaign.shards).map { only(campaign.part(Shard(it, campaign.shards))) }
        parts.drop(1).forEach { sameLibraries(parts.first().manifest, it.manifest) }
        val trials = parts.flatMap { it.trials() }.groupBy { Planned(it.round, it.treatment) }
        val order = Schedule.of(campaign.experiment)
        complete(order, trials)
        val merged = RunFolder.create(campaign.experiment)
        Journal(merged.path).use { journal -> order.forEach { journal.append(trials.getValue(it)) } }
        MachineJournal(merged.path).use { journal -> parts.flatMap { it.readings() }.forEach(journal::append) }
        val manifests = parts.map { it.manifest }
        val manifest = manifests.first().copy(
            run = merged.run,
            experiment = campaign.experiment,
            startedAt = manifests.minOf { it.startedAt },
            endedAt = manifests.mapNotNull { it.endedAt }.maxOrNull(),
            state = Unfinished.FINISHED,
            notes = listOf("Merged from ${parts.size} shards.") + manifests.flatMap { part -> part.notes.map { "${part.run}: $it" } },
            shards = manifests.map(::described),
        )
        manifest.write(merged.path)
        return RunFolder(merged.path)
    }

    private fun only(part: Experiment<*>): RunFolder {
        val runs = Campaign.runsOf(part)
        val finished = runs.filter { it.manifest.state == Unfinished.FINISHED }
        if (finished.size > 1) {
            val folders = finished.joinToString { it.run }
            throw LabException("Shard ${part.shard} was finished ${finished.size} times ($folders): keep one of these folders.")
        }
        finished.firstOrNull()?.let { return it }
        val begun = runs.firstOrNull()?.let { " (its run ${it.run} is ${Unfinished.stateOf(it)})" }.orEmpty()
        throw LabException("Shard ${part.shard} is missing$begun: run it with ./lab campaign run … --shard ${part.shard}.")
    }

    private fun sameLibraries(one: Manifest, other: Manifest) {
        val different = Differences.libraries(one, other).firstOrNull() ?: return
        throw LabException(
            "The shards ${one.experiment.shard} and ${other.experiment.shard} were made of different libraries ($different): " +
                "run all shards from one commit of the lab.",
        )
    }

    /** Refuses trials that are not exactly the [planned] ones. */
    private fun complete(planned: List<Planned>, there: Map<Planned, List<Trial>>) {
        fun refuse(it: Planned, why: String): Nothing = throw LabException("Round ${it.round} of ${it.treatment} $why.")
        val times = there.mapValues { (_, trials) -> trials.count { !it.warmup } }
        times.keys.find { times.getValue(it) > 1 }?.let { refuse(it, "is there twice: the shards overlap") }
        planned.find { times[it] != 1 }?.let { refuse(it, "is in no shard: run the shard that has it again") }
        (times.keys - planned.toSet()).firstOrNull()?.let { refuse(it, "was never planned") }
    }

    private fun described(part: Manifest): ShardRun = with(part) {
        ShardRun(run, checkNotNull(experiment.shard), experiment.rounds, machine, startedAt, endedAt, state, readings)
    }
}
