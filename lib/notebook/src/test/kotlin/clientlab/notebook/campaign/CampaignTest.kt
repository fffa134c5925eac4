package clientlab.notebook.campaign

import clientlab.*
import clientlab.burst.*
import clientlab.client.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.frame.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.notebook.run.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.toList
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.time.Duration.Companion.milliseconds

/** A campaign of two shards, with real runs. */
class CampaignTest(
    @param:TempDir private val data: Path,
) {
    private val asked =
        Experiment(
            "made",
            Burst(clients("urlconnection", "jdk"), inFlight = listOf(3), delay = 100.milliseconds, threads = false),
            forks = 3,
        )

    private val silent = ProgressListener { _: Progress -> }

    private fun refusal(action: () -> Any) = shouldThrow<LabException> { action() }.message.shouldNotBeNull()

    private fun planned(run: RunFolder) = run.trials().filter { !it.warmup }.map { Planned(it.round, it.treatment) }

    @Test
    fun `shards make the trials of one run, none missing and none twice, in its order`() =
        withDataIn(data) {
            val campaign = Campaign.of(asked, 2)
            val first = campaign.run(Shard(1, 2), silent, server = null)
            planned(first).map { it.round }.distinct().sorted() shouldContainExactly listOf(0, 2)
            refusal { CampaignMerge.merge(campaign) } shouldContain "Shard 2/2 is missing: run it with"

            campaign.run(Shard(2, 2), silent, server = null)
            val merged = CampaignMerge.merge(campaign)
            planned(merged) shouldContainExactly Schedule.of(asked)
            merged.manifest.state shouldBe "finished"
            merged.manifest.experiment shouldBe asked
            merged.manifest.shards.flatMap { it.rounds }.sorted() shouldContainExactly listOf(0, 1, 2)
            merged.readings().size shouldBe 6
            // Once more does nothing, and hands back the run that there is.
            campaign.run(Shard(1, 2), silent, server = null).run shouldBe first.run
        }

    @Test
    @Tag("long")
    fun `a shard that was stopped goes on where it was`() =
        withDataIn(data) {
            val campaign = Campaign.of(asked, 2)
            val stopping = ProgressListener { if (it.done == 1 && it.now != null) Thread.currentThread().interrupt() }
            runCatching { campaign.run(Shard(1, 2), stopping, server = null) }
            Thread.interrupted()
            val stopped = RunFolder.all("made").single()
            stopped.manifest.state shouldBe "interrupted"
            refusal { CampaignMerge.merge(campaign) } shouldContain "Shard 1/2 is missing (its run ${stopped.run} is interrupted)"

            val again = campaign.run(Shard(1, 2), silent, server = null)
            again.run shouldBe stopped.run
            planned(again).toSet() shouldBe Schedule.of(campaign.part(Shard(1, 2))).toSet()
        }

    @Test
    @Tag("long")
    fun `shards of different libraries, and a shard that was run twice, are refused`() =
        withDataIn(data) {
            val campaign = Campaign.of(asked, 2)
            listOf(1, 2).forEach { campaign.run(Shard(it, 2), silent, server = null) }
            val second = RunFolder.all("made").first { it.manifest.experiment.shard == Shard(2, 2) }
            second.manifest.copy(versions = second.manifest.versions + ("io.ktor:ktor-client-core-jvm" to "9.9.9")).write(second.path)
            refusal { CampaignMerge.merge(campaign) } shouldContain
                "made of different libraries (versions.io.ktor:ktor-client-core-jvm is 9.9.9"

            val copy = second.path.resolveSibling("20991231-000000-abcd").createDirectories()
            second.path.listDirectoryEntries("*.json*").forEach { it.copyTo(copy.resolve(it.name)) }
            refusal { CampaignMerge.merge(campaign) } shouldContain "Shard 2/2 was finished 2 times"
        }

    @Test
    @Tag("long")
    fun `of two machines each trial says which was its own`() =
        withDataIn(data) {
            val campaign = Campaign.of(asked, 2)
            listOf(1, 2).forEach { campaign.run(Shard(it, 2), silent, server = null) }
            val second = RunFolder.all("made").first { it.manifest.experiment.shard == Shard(2, 2) }
            second.manifest.copy(machine = second.manifest.machine.copy(cpu = "another processor")).write(second.path)
            val frame = CampaignMerge.merge(campaign).frame()
            frame.columnNames() shouldContain "machine"
            frame["machine"].toList().distinct().count { "another processor" in it.toString() } shouldBe 1
        }

    @Test
    fun `a plan survives its file, and what cannot be a campaign is refused in a sentence`() =
        withDataIn(data) {
            val file = data.resolve("campaign.json")
            Campaign.of(asked, 3).write(file)
            Campaign.read(file) shouldBe Campaign.of(asked, 3)
            refusal { Campaign.read(data.resolve("none.json")) } shouldContain "plan one, as in ./lab campaign plan"
            refusal { Campaign.of(asked.with(blockingClient("mine") { 200 }), 2) } shouldContain "'mine' is in this notebook alone"
            refusal { Campaign.of(asked, 2).part(Shard(1, 3)) } shouldContain "The campaign has 2 shards, not 3"
            refusal { Campaign.of(asked, 2).copy(versions = mapOf("a:b" to "1")).run(Shard(1, 2), silent, null) } shouldContain
                "run every shard from one commit"
            shouldThrow<LabException> { Campaign.of(asked, 4) }.message shouldContain "4 shards share 3 rounds"
            shouldThrow<LabException> { Campaign.of(asked.copy(forks = 10, precision = 2.percent), 2) }.message shouldContain
                "ask for a number of forks"
            shouldThrow<LabException> { Shard.parse("3-8") }.message shouldContain "as in 3/8"
        }

    @Test
    fun `while a run is going on a shard is told so, and may wait`() =
        withDataIn(data) {
            RunLock.take("other").use {
                shouldThrow<RunGoingOn> { Campaign.of(asked, 2).run(Shard(1, 2), silent, server = null) }.message shouldContain
                    "other, process"
            }
        }
}
