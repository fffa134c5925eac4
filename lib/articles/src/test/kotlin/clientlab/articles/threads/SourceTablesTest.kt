package clientlab.articles.threads

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.trial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toList
import org.junit.jupiter.api.Test

class SourceTablesTest {
    private val measured = mapOf("durationMs" to 4400.0, "activeUnparkedNew" to 501.0, "threadsBlocked" to 500.0)

    @Test
    fun `each row of the source stands beside ours, times in delays of their own`() {
        val table = MadeTrials.frame(trial("retrofit", 500, metrics = measured), trial("retrofit", 100)).besideSource(500)
        table["client"].toList() shouldBe
            listOf("retrofit", "ktor-okhttp", "ktor-apache", "ktor-apache5", "ktor-java", "ktor-cio@article", "fuel")
        val retrofit = table.rows().first()
        retrofit["sourceThreads"] shouldBe 501
        retrofit["ourThreadsBySameRule"] shouldBe "501 [501, 501]"
        retrofit["ourThreadsBlocked"] shouldBe "500 [500, 500]"
        retrofit["sourceTimeInDelays"] shouldBe "1.31"
        retrofit["ourTimeInDelays"] shouldBe "2.20"
    }

    @Test
    fun `what was not measured here is said to be so`() {
        val fuel = MadeTrials
            .frame(trial("retrofit", 500, metrics = measured))
            .besideSource(500)
            .rows()
            .last()
        fuel["client"] shouldBe "fuel"
        fuel["sourceThreads"] shouldBe 501
        listOf("ourThreadsBySameRule", "ourThreadsBlocked", "ourTimeInDelays").forEach { fuel[it] shouldBe "not measured" }
    }

    @Test
    fun `cold trials do not stand beside the source's`() {
        val table = MadeTrials.frame(trial("retrofit", 500, start = "cold", metrics = measured)).besideSource(500)
        table.rows().first()["ourTimeInDelays"] shouldBe "not measured"
    }

    @Test
    fun `a level that the source does not have is refused with those it has`() {
        shouldThrow<LabException> { MadeTrials.frame(trial("retrofit")).besideSource(1000) }.message shouldBe
            "Source 000 has no table for 1000 in flight; it has 100 and 500."
    }

    @Test
    fun `threads are listed by owner and doing, the most first, a kind that a fork lacks counting as none of it there`() {
        fun fork(round: Int, outcome: Outcome = Outcome.Complete, vararg threads: ThreadCount) =
            trial("retrofit", round = round, outcome = outcome).copy(threads = threads.toList())
        val blocked = ThreadCount("OkHttp", ThreadState.BlockedInRead, 100)
        val idle = ThreadCount("OkHttp", ThreadState.ParkedIdle, 3)
        val table =
            MadeTrials
                .frame(
                    fork(0, Outcome.Complete, idle, blocked),
                    fork(1, Outcome.Complete, blocked),
                    fork(2, Outcome.Complete, blocked),
                    fork(3, Outcome.Invalid, ThreadCount("nobody", ThreadState.Running, 9)),
                    trial("fuel").copy(threads = listOf(ThreadCount("fuel", ThreadState.Running, 9))),
                ).threadsOf("retrofit", 100)
        table.rows().map { listOf(it["owner"], it["doing"], it["n"]) } shouldBe
            listOf(listOf("OkHttp", "blocked in a read", 3), listOf("OkHttp", "parked idle", 3))
        table.rows().map { it["threads"] } shouldBe listOf("100 [100, 100]", "0 [0, 3]")
    }

    @Test
    fun `threads of a client that was not measured are an empty table`() {
        MadeTrials.frame(trial("retrofit")).threadsOf("fuel", 100).rowsCount() shouldBe 0
    }
}
