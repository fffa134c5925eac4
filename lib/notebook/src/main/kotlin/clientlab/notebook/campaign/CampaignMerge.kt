package clientlab.notebook.campaign

import clientlab.*
import clientlab.notebook.journal.*
import clientlab.notebook.run.*

/** Makes one run of the shards of a campaign. */
internal object CampaignMerge {
    /**
     * The shards of [campaign] among the runs that are here, as one run in a folder of its own.
     *
     * Every planned trial must be there exactly once. Throws [LabException] with one sentence if a shard is missing or was finished twice,
     * if a trial is missing or there twice, or if shards have different libraries. The machine of each round is kept; a comparison within a
     * round is a comparison within one machine.
     */
    fun merge(campaign: Campaign): RunFolder {
        val parts = (1..campaign.shards).map { number -> only(campaign.part(Shard(number, campaign.shards))) }
        parts.drop(1).forEach { sameLibraries(parts.first(), it) }
        val trials = parts.flatMap { it.trials() }
        complete(campaign.experiment, trials.filter { !it.warmup }.map { Planned(it.round, it.treatment) })
        val order = Schedule.of(campaign.experiment).withIndex().associate { (place, planned) -> planned to place }
        val first = parts.first().manifest
        val merged = RunFolder.create(campaign.experiment)
        Journal(merged.path).use { journal ->
            trials
                .groupBy { order.getValue(Planned(it.round, it.treatment)) }
                .toSortedMap()
                .values
                .forEach(journal::append)
        }
        MachineJournal(merged.path).use { journal -> parts.flatMap { it.readings() }.forEach(journal::append) }
        first
            .copy(
                run = merged.run,
                experiment = campaign.experiment,
                startedAt = parts.minOf { it.manifest.startedAt },
                endedAt = parts.mapNotNull { it.manifest.endedAt }.maxOrNull(),
                state = Unfinished.FINISHED,
                notes =
                    listOf("Merged from ${parts.size} shards.") + parts.flatMap { part -> part.manifest.notes.map { "${part.run}: $it" } },
                shards = parts.map(::described),
            ).write(merged.path)
        return RunFolder(merged.path)
    }

    private fun only(part: Experiment<*>): RunFolder {
        val runs = RunFolder.all(part.name).filter { it.manifest.experiment == part }
        val finished = runs.filter { it.manifest.state == Unfinished.FINISHED }
        if (finished.size > 1) {
            val folders = finished.joinToString { it.run }
            throw LabException("Shard ${part.shard} was finished ${finished.size} times ($folders): keep one of these folders.")
        }
        if (finished.size == 1) return finished.single()
        val begun = runs.firstOrNull()?.let { " (its run ${it.run} is ${Unfinished.stateOf(it)})" }.orEmpty()
        throw LabException("Shard ${part.shard} is missing$begun: run it with ./lab campaign run … --shard ${part.shard}.")
    }

    private fun sameLibraries(one: RunFolder, other: RunFolder) {
        val different = Differences.libraries(one.manifest, other.manifest)
        if (different.isEmpty()) return
        throw LabException(
            "The shards ${one.manifest.experiment.shard} and ${other.manifest.experiment.shard} were made of different libraries " +
                "(${different.first()}): run all shards from one commit of the lab.",
        )
    }

    private fun complete(experiment: Experiment<*>, there: List<Planned>) {
        val planned = Schedule.of(experiment).toSet()
        val twice = there
            .groupingBy { it }
            .eachCount()
            .entries
            .firstOrNull { it.value > 1 }
            ?.key
        if (twice != null) throw LabException("Round ${twice.round} of ${twice.treatment} is there twice: the shards overlap.")
        val missing = planned.firstOrNull { it !in there.toSet() }
        if (missing != null) {
            throw LabException("Round ${missing.round} of ${missing.treatment} is in no shard: run the shard that has it again.")
        }
        val unplanned = there.firstOrNull { it !in planned }
        if (unplanned != null) throw LabException("Round ${unplanned.round} of ${unplanned.treatment} was never planned.")
    }

    private fun described(part: RunFolder): ShardRun {
        val manifest: Manifest = part.manifest
        return ShardRun(
            run = part.run,
            shard = checkNotNull(manifest.experiment.shard),
            rounds = manifest.experiment.rounds,
            machine = manifest.machine,
            startedAt = manifest.startedAt,
            endedAt = manifest.endedAt,
            state = manifest.state,
            readings = manifest.readings,
        )
    }
}
