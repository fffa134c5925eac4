package clientlab.notebook.run

import clientlab.*
import clientlab.burst.*
import clientlab.idle.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.frame.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds

/** A/A runs as they are made: one thing under two names, in forks of its own each. */
class AliasRunTest(
    @param:TempDir private val data: Path,
) {
    @Test
    fun `a client of the catalogue is measured under both names, and the run is read back`() =
        withDataIn(data) {
            val asked = Experiment("made", Burst(clients("retrofit"), inFlight = listOf(10), delay = 300.milliseconds), forks = 2).aa()
            val trials = asked.run { }
            withClue(trials.rows().map { it["reasons"] }) { trials.rows().map { it["outcome"] }.distinct() shouldBe listOf("complete") }
            trials.rows().map { it["round"] to it[Factor.ALIAS] } shouldContainExactlyInAnyOrder
                listOf(0 to "A", 0 to "A again", 1 to "A", 1 to "A again")
            trials
                .aa("threadsBlocked")
                .rows()
                .single()
                .let { it["ratio"] to it["n"] } shouldBe ("1 [1, 1]" to 2)

            val folder = RunFolder.all("made-aa").single()
            folder.manifest.experiment shouldBe asked
            folder.trials().filter { !it.warmup }.map { it.treatment } shouldContainExactlyInAnyOrder asked.treatments + asked.treatments
        }

    @Tag("long")
    @Test
    fun `a workload without clients has two names too`() =
        withDataIn(data) {
            val asked = Experiment("made", IdleTasks(tasks = listOf(10), mechanism = listOf(Mechanism.Coroutines)), forks = 1).aa()
            val trials = asked.run { }
            trials.rows().map { it["outcome"] to it[Factor.ALIAS] } shouldContainExactlyInAnyOrder
                listOf("complete" to "A", "complete" to "A again")
        }
}
