package clientlab.server.evidence

import clientlab.server.*
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import kotlinx.serialization.json.longOrNull
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(120)
class RequestTableTest {
    @AutoClose
    private val server = RunningServer()

    @Test
    fun `each numbered request has a row of when it arrived and was answered, on the clock of all processes`() {
        val before = System.nanoTime()
        server.get("/delay?delay=0.02&a=7")
        server.get("/datetime?a=8")
        server.get("/delay?a=text")
        server.get("/delay")
        val after = System.nanoTime()
        val told = server.control("/evidence/requests").json()
        told.getValue("columns").jsonArray.map { it.jsonPrimitive.content } shouldContainExactly
            listOf("a", "connection", "arrivedNanos", "answeredNanos")
        told.getValue("dropped").jsonPrimitive.long shouldBe 0
        val rows = rows()
        rows.map { it[0] } shouldContainExactly listOf(7L, 8L)
        rows.map { it[1] } shouldContainExactly listOf(1L, 1L)
        rows.flatMap { it.drop(2).filterNotNull() }.shouldBeSorted()
        rows.forEach { it[2]!! shouldBeInRange before..after }
        rows[0][3]!! - rows[0][2]!! shouldBeGreaterThanOrEqual 20_000_000
    }

    @Test
    fun `who waits has no answer yet, and a reset forgets them`() {
        server.connect().sendRequest("/delay?delay=0.3&a=1")
        server.awaitInFlight(1)
        rows().single()[3] shouldBe null
        server.controlPost("/evidence/reset")
        server.evidenceWhere { it.answered == 1L }
        rows() shouldBe emptyList()
    }

    @Test
    fun `the newest take the places of the oldest, which are counted`() {
        val table = RequestTable()
        val first = table.arrived(-5, 0, 0)
        repeat(RequestTable.CAPACITY) { table.answered(table.arrived(it, 1, it.toLong()), it + 1L) }
        table.answered(first, 99)
        val json = table.json()
        json.substringAfter("\"rows\":[").substringBefore("]") shouldBe "[0,1,0,1"
        json.substringAfterLast("],[") shouldBe "19999,1,19999,20000]],\"dropped\":1,\"droppedArrivedNanos\":[0,0]}"
    }

    @Test
    fun `what had to make room is told from its first to its last, and forgotten with a reset`() {
        val table = RequestTable()
        repeat(3) { table.arrived(it, 1, it.toLong()) }
        table.reset()
        repeat(RequestTable.CAPACITY) { table.arrived(it, 1, 100L + it) }
        table.dropped() shouldBe (0L to null)
        repeat(5) { table.arrived(it, 1, 1_000_000L + it) }
        table.dropped() shouldBe (5L to listOf(100L, 104L))
        repeat(2 * RequestTable.CAPACITY) { table.arrived(it, 1, 2_000_000L + it) }
        table.dropped() shouldBe (5L + 2 * RequestTable.CAPACITY to listOf(100L, 2_000_000L + RequestTable.CAPACITY - 1))
        table.reset()
        table.dropped() shouldBe (0L to null)
    }

    private fun RequestTable.dropped(): Pair<Long, List<Long>?> {
        val told = Json.parseToJsonElement(json()).jsonObject
        val span = told.getValue("droppedArrivedNanos") as? JsonArray
        return told.getValue("dropped").jsonPrimitive.long to span?.map { it.jsonPrimitive.long }
    }

    @Test
    fun `the clock lies between the readings around it`() {
        val before = System.nanoTime()
        val told = server.control("/evidence/clock").json()
        told.getValue("nanoTime").jsonPrimitive.long shouldBeInRange before..System.nanoTime()
    }

    private fun rows(): List<List<Long?>> =
        server.control("/evidence/requests").json().getValue("rows").jsonArray.map { row ->
            (row as JsonArray).map { it.jsonPrimitive.longOrNull }
        }
}
