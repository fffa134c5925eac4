package clientlab.server.evidence

import clientlab.server.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.longOrNull
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(120)
class ConnectionTableTest {
    private val table = ConnectionTable()

    @Test
    fun `a request on a connection that has carried one is a reuse`() {
        val first = opened(1)
        val second = opened(2)
        listOf(first, first, first, second).forEach { ask(it, Protocol.H2C) }
        table.byProtocol() shouldBe
            mapOf("h2c" to ProtocolUse(connections = 2, requests = 4, reused = 2, mostPerConnection = 3, mostAtOnce = 1))
    }

    @Test
    fun `what is under way at once is told for the connection that had most`() {
        val first = opened(1)
        repeat(3) { table.arrived(opened(2), Protocol.HTTP_1_1) }
        repeat(2) { table.arrived(first, Protocol.HTTP_1_1) }
        table.ended(first)
        table.arrived(first, Protocol.HTTP_1_1)
        table.byProtocol().getValue("http/1.1").mostAtOnce shouldBe 2
    }

    @Test
    fun `a connection counts once for each protocol that it carried`() {
        val both = opened(1)
        listOf(Protocol.HTTP_1_0, Protocol.HTTP_1_1, Protocol.HTTP_1_0).forEach { ask(both, it) }
        val use = table.byProtocol()
        use.mapValues { it.value.connections } shouldBe mapOf("http/1.0" to 1L, "http/1.1" to 1L)
        use.values.sumOf { it.reused } shouldBe 2
    }

    @Test
    fun `a reset forgets what was, keeps what is under way, and remembers that a connection is used`() {
        val open = opened(1)
        val gone = opened(2)
        ask(gone, Protocol.H2)
        table.closed(gone, 9)
        repeat(5) { table.arrived(open, Protocol.H2) }
        table.reset()
        table.byProtocol() shouldBe emptyMap()
        table.json() shouldBe HEAD + """[[1,"h2",0,5,1,null]],"dropped":0}"""
        table.arrived(open, Protocol.H2)
        table.byProtocol() shouldBe
            mapOf("h2" to ProtocolUse(connections = 1, requests = 1, reused = 1, mostPerConnection = 1, mostAtOnce = 6))
    }

    @Test
    fun `every connection has a row, those that are closed first`() {
        val one = opened(1)
        val two = opened(2)
        ask(two, Protocol.H2C)
        table.closed(two, 7)
        table.json() shouldBe HEAD + """[[2,"h2c",1,1,2,7],[1,null,0,0,1,null]],"dropped":0}"""
        table.closed(one, 8)
        table.json() shouldBe HEAD + """[[2,"h2c",1,1,2,7],[1,null,0,0,1,8]],"dropped":0}"""
    }

    @Test
    fun `of very many closed connections the newest have rows, the others are counted, and the numbers hold for all`() {
        repeat(ConnectionTable.CAPACITY + 2) {
            val connection = opened(it)
            ask(connection, Protocol.HTTP_1_1)
            table.closed(connection, it.toLong())
        }
        val json = table.json()
        json.substringAfter("\"rows\":[").substringBefore(',') shouldBe "[2"
        json.substringAfterLast(",") shouldBe "\"dropped\":2}"
        table.byProtocol().getValue("http/1.1").connections shouldBe ConnectionTable.CAPACITY + 2L
    }

    @Test
    fun `the control port has the rows`() {
        RunningServer().use { server ->
            val before = System.nanoTime()
            server.connect().sendRequest("/delay?delay=60").sendRequest("/delay?delay=60")
            server.awaitInFlight(2)
            val told = server.control("/evidence/connections").json()
            told.getValue("columns").jsonArray.map { it.jsonPrimitive.content } shouldContainExactly
                listOf("connection", "protocol", "requests", "mostAtOnce", "openedNanos", "closedNanos")
            val row = told.getValue("rows").jsonArray.single().jsonArray.map { it.jsonPrimitive }
            row[1].content shouldBe "http/1.1"
            row.map { it.longOrNull }.let { listOf(it[0], it[2], it[3], it[5]) } shouldContainExactly listOf(1, 2, 2, null)
            row[4].longOrNull!! shouldBeInRange before..System.nanoTime()
        }
    }

    private fun opened(number: Int) = ConnectionRecord(number, openedAt = number.toLong()).also { table.opened(it) }

    private fun ask(connection: ConnectionRecord, protocol: Protocol) {
        table.arrived(connection, protocol)
        table.ended(connection)
    }

    private companion object {
        const val HEAD =
            """{"schemaVersion":1,"columns":["connection","protocol","requests","mostAtOnce","openedNanos","closedNanos"],"rows":"""
    }
}
