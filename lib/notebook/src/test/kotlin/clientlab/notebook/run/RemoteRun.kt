package clientlab.notebook.run

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.campaign.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.frame.*
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.milliseconds

/**
 * Runs a small experiment, with its data in the folder named first, against the delay server whose control port is named second; in as many
 * shards as are named third, if any are, and merges them.
 */
internal object RemoteRun {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val (data, server) = arguments
        val shards = arguments.getOrNull(2)?.toInt()
        System.setProperty("lab.data", data)
        System.setProperty("java.io.tmpdir", data)
        val burst = Burst(clients("urlconnection"), inFlight = listOf(20), delay = 500.milliseconds, timeline = true)
        try {
            val experiment = Experiment("apart", burst, forks = shards ?: 1, seed = 5)
            if (shards == null) experiment.run(server) { } else inShards(Campaign.of(experiment, shards), server)
            println("finished")
        } catch (e: LabException) {
            println(e.message)
            exitProcess(1)
        }
    }

    private fun inShards(campaign: Campaign, server: String) {
        (1..campaign.shards).forEach { campaign.run(Shard(it, campaign.shards), { }, server) }
        CampaignMerge.merge(campaign)
    }
}
