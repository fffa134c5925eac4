@file:JvmName("CampaignMain")

package clientlab.notebook.command

import clientlab.*
import clientlab.notebook.campaign.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.run.*
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

/**
 * The main of `./lab campaign`: `plan <run> <shards>`, `run <file> <shard>` or `merge <file>` for an experiment in shards, of which one
 * waits while another run is in progress; `ledger <label> <minutes> <because> <names>` for what the evidence of the ledger lacks.
 */
public fun main(arguments: Array<String>): Unit = orRefuse {
    val (what, about) = arguments
    when (what) {
        "plan" -> plan(about, arguments[2].toInt())
        "run" -> run(Path.of(about), Shard.parse(arguments[2]))
        "ledger" -> ledger(about, arguments[2].toInt().minutes, arguments[3], arguments[4].split(',').filter { it.isNotEmpty() })
        "merge" -> println("Merged into ${shown(CampaignMerge.merge(Campaign.read(Path.of(about))))}.")
    }
}

/** Plans the experiment of a run again, in shards, and prints the command of each: one line per shard, for a scheduler. */
private fun plan(run: String, shards: Int) {
    val experiment = RunFolder.named(run).manifest.experiment
    val file = experiment.copy(shard = null).campaign(shards)
    (1..shards).forEach { println("./lab campaign run $file --shard $it/$shards") }
}

/** Plans to measure what the ledger's evidence lacks if that is not planned yet; then makes the runs that the [budget] has room for. */
private fun ledger(label: String, budget: Duration, because: String, only: List<String>) {
    val campaign = LedgerCampaign.planned(label) ?: LedgerCampaign.plan(label, because)
    println(campaign.costs())
    campaign.run(budget, ProgressLines(), only, ::println)
}

private fun run(file: Path, shard: Shard) {
    val campaign = Campaign.read(file)
    val folder = campaign.run(shard, ProgressLines(), serverAskedFor(null)) { System.err.println("lab: shard $shard waits. ${it.message}") }
    println("Shard $shard is in ${shown(folder)}: ${folder.trials().count { !it.warmup }} trials.")
}

private fun shown(folder: RunFolder): Path = LabHome.root.relativize(folder.path)
