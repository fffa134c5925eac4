package clientlab.notebook.output

import clientlab.notebook.frame.*
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn
import org.junit.jupiter.api.Test

class DataPartTest {
    private val published = published("threads-2026-11")

    private fun JsonObject.text(name: String): String = getValue(name).jsonPrimitive.content

    private fun JsonObject.objects(name: String): List<JsonObject> = getValue(name).jsonArray.map { it.jsonObject }

    @Test
    fun `numbers have six significant digits, and what is no number is null`() {
        DataPart.number(1234567.89) shouldBe JsonPrimitive(1234570L)
        DataPart.number(0.123456789) shouldBe JsonPrimitive(0.123457)
        DataPart.number(2.0) shouldBe JsonPrimitive(2L)
        DataPart.number(Double.NaN) shouldBe JsonNull
        DataPart.number(1e300) shouldBe JsonPrimitive(1e300)
    }

    @Test
    fun `a table says its columns with type and unit, its runs, and the rows that it shows`() {
        val data = published.data()
        data.text("kind") shouldBe "table"
        val columns = data.objects("columns")
        columns.first { it.text("name") == "client" }.text("type") shouldBe "text"
        columns.first { it.text("name") == "inFlight" }.text("type") shouldBe "integer"
        columns.first { it.text("name") == "durationMs" }.text("unit") shouldBe "ms"
        columns.first { it.text("name") == "threads" }.text("type") shouldBe "table"
        data.getValue("rows").jsonPrimitive.int shouldBe published.rowsCount()
        data.getValue("values").jsonArray shouldHaveSize 60
        data.getValue("runs").jsonArray.map { it.jsonPrimitive.content } shouldBe listOf(published["run"][0].toString())
    }

    @Test
    fun `a table that was made of trials names their runs and no column for them`() {
        val data = published.summary().data()
        data.getValue("runs").jsonArray.map { it.jsonPrimitive.content } shouldBe listOf(published["run"][0].toString())
        data.text("origin") shouldContain "n = "
        data.objects("columns").none { it.text("name") == "origin" } shouldBe true
    }

    @Test
    fun `a table of nothing measured has no runs`() {
        val data = dataFrameOf(listOf("a", "b").toColumn("word"), listOf(1.5, null).toColumn("number")).data()
        data.containsKey("runs") shouldBe false
        data.getValue("values").jsonArray[1].jsonArray[1] shouldBe JsonNull
    }
}
