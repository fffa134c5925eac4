package clientlab.steady

import clientlab.*
import io.kotest.assertions.withClue
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import kotlinx.serialization.Serializable
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText

/** `tools/tests_ruptures` finds the change points of the same files with another library. */
class RecordedSeriesTest {
    /** A recorded series with its change points; [cost] is the name of a [Cost] in small letters. */
    @Serializable
    private class Recorded(
        val source: String,
        val cost: String,
        val penalty: Double,
        val shortest: Int,
        val values: List<Double>,
        val changePoints: List<Int>,
    )

    @Test
    fun `each recorded series has the change points that are recorded with it`() {
        val files = Path.of("src/test/resources/series").listDirectoryEntries("*.json")
        files.size shouldBeGreaterThanOrEqual 20
        files.forEach { file ->
            val series = LabJson.decodeFromString<Recorded>(file.readText())
            val cost = Cost.entries.single { it.name.lowercase().replace('_', ' ') == series.cost }
            withClue("$file: ${series.source}") {
                ChangePoints.of(series.values.toDoubleArray(), cost, series.penalty, series.shortest) shouldBe series.changePoints
            }
        }
    }
}
