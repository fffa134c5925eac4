@file:JvmName("CampaignMain")

package clientlab.notebook.command

import clientlab.*
import clientlab.notebook.campaign.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.run.*
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.system.exitProcess

/**
 * The main of `./lab campaign`: `plan <run> <shards>`, `run <file> <shard>` or `merge <file>`.
 *
 * If another run is in progress, a shard waits for it. So a scheduler may start several shards on one machine.
 */
public fun main(arguments: Array<String>) {
    val (what, about) = arguments
    try {
        when (what) {
            "plan" -> plan(about, arguments[2].toInt())

            "run" -> run(Path.of(about), Shard.parse(arguments[2]))

            "merge" -> println(
                CampaignMerge.merge(Campaign.read(Path.of(about))).let { "Merged into ${LabHome.root.relativize(it.path)}." },
            )
        }
    } catch (refused: LabException) {
        fail(refused.message)
    }
}

/** Plans the experiment of a run again, in shards, and prints the command of each: one line per shard, for a scheduler. */
private fun plan(run: String, shards: Int) {
    val published = LabHome.published
        .resolve(run)
        .takeIf { it.resolve(Manifest.FILE).exists() }
        ?.let(::RunFolder)
    val file = (published ?: RunFolder.withId(run))
        .manifest.experiment
        .copy(shard = null)
        .campaign(shards)
    (1..shards).forEach { println("./lab campaign run $file --shard $it/$shards") }
}

private fun run(file: Path, shard: Shard) {
    val campaign = Campaign.read(file)
    val folder = campaign.run(shard, ProgressLines(), serverAskedFor(null)) { System.err.println("lab: shard $shard waits. ${it.message}") }
    println("Shard $shard is in ${LabHome.root.relativize(folder.path)}: ${folder.trials().count { !it.warmup }} trials.")
}

private fun fail(sentence: String?) {
    System.err.println("lab: $sentence")
    exitProcess(1)
}
