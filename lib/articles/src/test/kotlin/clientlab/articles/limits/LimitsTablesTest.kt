package clientlab.articles.limits

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTrials.frame
import io.kotest.matchers.collections.shouldContainExactly
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toList
import org.junit.jupiter.api.Test

class LimitsTablesTest {
    private fun trial(client: String, payload: String, ms: Double, round: Int, overflows: Int = 0) =
        Trial(
            experiment = "made",
            round = round,
            treatment = Treatment(
                Factor.CLIENT to client,
                Factor.SERVER to "jetty",
                Factor.PAYLOAD to payload,
                Factor.IN_FLIGHT to 100,
                Factor.DELAY_MS to 1000,
            ),
            warmup = false,
            outcome = Outcome.Complete,
            metrics = mapOf("durationMs" to ms, "listenOverflows" to overflows.toDouble()),
            evidence = Evidence(requestsByProtocol = mapOf("http/1.1" to 100, "h2c" to 0)),
        )

    private val trials =
        frame(
            trial("ktor-cio@default", "text", 1200.0, 0),
            trial("ktor-cio@default", "json", 2400.0, 0, overflows = 7),
            trial("ktor-okhttp@requests", "text", 1100.0, 0),
            trial("ktor-okhttp@requests", "json", 1150.0, 0),
        )

    private fun AnyFrame.texts(column: String) = this[column].toList().map { it.toString() }

    @Test
    fun `protocols are told by client and server, with those only that were spoken`() {
        val table = trials.protocols()
        table.texts("client") shouldContainExactly listOf("ktor-cio@default", "ktor-okhttp@requests")
        table.texts("server").distinct() shouldContainExactly listOf("jetty")
        table.texts("requestsATrial").distinct() shouldContainExactly listOf("http/1.1: 100")
    }

    @Test
    fun `clients differ level by level, within a round`() {
        val table = trials.betweenClients("ktor-cio@default", "ktor-okhttp@requests", by = Factor.PAYLOAD)
        table.texts("payload") shouldContainExactly listOf("json", "text")
        table.texts("msMore").map { it.substringBefore(' ') } shouldContainExactly listOf("1,250", "100")
    }

    @Test
    fun `trials are parted by whether an accept queue ran over`() {
        val table = trials.byOverflow()
        table.texts("acceptQueue") shouldContainExactly listOf("held", "held", "ran over")
        table.texts("overflows") shouldContainExactly listOf("0", "0", "7")
    }
}
