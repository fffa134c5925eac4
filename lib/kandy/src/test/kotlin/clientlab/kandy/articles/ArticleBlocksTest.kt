package clientlab.kandy.articles

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.jetbrains.kotlinx.kandy.ir.Plot
import org.jetbrains.kotlinx.kandy.letsplot.translator.toLetsPlot
import org.jetbrains.letsPlot.awt.plot.PlotSvgExport
import org.jetbrains.letsPlot.intern.toSpec
import org.junit.jupiter.api.Test

/** The blocks that the articles show, drawn from the published trials; a Python test holds them equal to the notebooks'. */
class ArticleBlocksTest {
    @Test
    fun `the threads of each client are points`() =
        threads().shows("Who holds a thread", "point" to mapOf("x" to "threadsBlocked", "y" to "client"))

    @Test
    fun `the wait of a request is a segment, its answer a point`() =
        limits().shows(
            "Where does a request wait",
            "segment" to mapOf("x" to "askedMs", "xend" to "arrivedMs", "y" to "place", "yend" to "place"),
            "point" to mapOf("x" to "answeredMs", "y" to "place"),
        )

    @Test
    fun `the time of each executor is a line with points`() {
        val of = mapOf("x" to "delayMs", "y" to "durationMs", "color" to "executor")
        virtualThreads().shows("Which grows", "line" to of, "point" to of)
    }

    @Test
    fun `the memory of each mechanism is points on two logarithmic axes`() {
        val plot = memory()
        plot.shows("What do waiting tasks take", "point" to mapOf("x" to "tasks", "y" to "memoryGrowthBytes", "color" to "mechanism"))
        @Suppress("UNCHECKED_CAST")
        val scales = plot.spec().getValue("scales") as List<Map<String, Any?>>
        scales.filter { it["trans"].toString().equals("log10", ignoreCase = true) }.map { it["aesthetic"] }.toSet() shouldBe setOf("x", "y")
    }

    @Test
    fun `the throughput of each means is bars`() =
        transfer().shows("How fast", "bar" to mapOf("x" to "means", "y" to "throughputMiBs"))

    @Test
    fun `the answers of each gateway are points`() =
        gateway().shows("Which gateway", "point" to mapOf("x" to "answeredShare", "y" to "client"))

    @Test
    fun `the waves of each version are points`() =
        versions().shows("Which version", "point" to mapOf("x" to "batches", "y" to "client"))

    @Test
    fun `the limit of each client is points`() =
        limitsAudit().shows("Which limit", "point" to mapOf("x" to "heldInFlight", "y" to "client"))

    @Test
    fun `the latency of each client is a line with points`() {
        val of = mapOf("x" to "rate", "y" to "latencyP99Ms", "color" to "client")
        latency().shows("Who falls", "line" to of, "point" to of)
    }

    @Test
    fun `the connections of each protocol are points`() =
        protocols().shows("How many connections", "point" to mapOf("x" to "connectionsOpened", "y" to "client", "color" to "protocol"))

    @Test
    fun `what fits within limits is points`() =
        cost().shows("How many can wait", "point" to mapOf("x" to "heldInFlight", "y" to "client"))

    @Test
    fun `what callers of a fresh instance wait is points`() =
        warmUp().shows("What do callers", "point" to mapOf("x" to "latencyP99Ms", "y" to "client"))

    @Test
    fun `the concerns of each fork are points`() =
        conduct().shows("Do all forks", "point" to mapOf("x" to "concerns", "y" to "client"))
        wires().shows("Who connects again", "point" to mapOf("x" to "durationAgainMs", "y" to "client"))
        storms().shows("have no answers any more", "point" to mapOf("x" to "goodputAfter", "y" to "retries"))
        streams().shows("Who holds a thread", "point" to mapOf("x" to "threadsNew", "y" to "client"))

    private fun Plot.spec(): MutableMap<String, Any> = toLetsPlot().toSpec()

    /** It is drawn, and its layers take these columns, which hold data. */
    private fun Plot.shows(title: String, vararg expected: Pair<String, Map<String, String>>) {
        @Suppress("UNCHECKED_CAST")
        val layers = spec().getValue("layers") as List<Map<String, Any?>>
        layers.map { it["geom"] } shouldBe expected.map { it.first }
        layers.zip(expected).forEach { (layer, claim) ->
            @Suppress("UNCHECKED_CAST")
            val mapping = layer["mapping"] as Map<String, String>
            withClue(mapping) { mapping.filterKeys { it in claim.second } shouldBe claim.second }
        }
        datasets.shouldNotBeEmpty()
        val svg = PlotSvgExport.buildSvgImageFromRawSpecs(spec())
        svg shouldContain title
        svg shouldNotContain "Error"
    }
}
