package clientlab.server.bench

import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.double
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import javax.tools.ToolProvider
import kotlin.io.path.readText

class EvidenceCostTest {
    /** A byte would be an object in every sixteenth request; what JMH itself allocates beside is far less. */
    @Test
    @Tag("long")
    fun `evidence allocates nothing for a request`(
        @TempDir folder: Path,
    ) {
        assumeTrue(ToolProvider.getSystemJavaCompiler() != null, "JMH compiles what it measures, and this Java has no compiler")
        val file = folder.resolve("result.json")
        measureEvidence(file, isQuick = true, Path.of("jvm.options")) shouldBe 0
        val results = Json.parseToJsonElement(file.readText()).jsonArray.map { it.jsonObject }
        results.map {
            it.getValue("benchmark").jsonPrimitive.content.substringAfterLast('.')
        } shouldContainExactlyInAnyOrder
            listOf("request", "requestWithoutClock")
        for (result in results) {
            val allocated = result
                .getValue("secondaryMetrics")
                .jsonObject
                .getValue("gc.alloc.rate.norm")
                .jsonObject
            allocated.getValue("score").jsonPrimitive.double shouldBeLessThan 1.0
        }
    }
}
