package clientlab.server

import clientlab.server.evidence.*
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

@Timeout(120)
class EvidenceTest {
    @AutoClose
    private val server = RunningServer()

    @Test
    fun `the evidence over HTTP is the evidence in the process, and asking for it is counted nowhere`() {
        server.get("/delay?delay=0.001")
        val seen = Json.decodeFromString<Evidence>(server.control("/evidence").body())

        fun Evidence.ofThisServer() = copy(cpuMs = null, listenOverflows = null, listenDrops = null, ownListenDrops = null)
        seen.ofThisServer() shouldBe server.evidence().ofThisServer()
        seen.arrived shouldBe 1
        seen.connectionsOpened shouldBe 1
        server.control("/health").body() shouldBe "ok\n"
    }

    @Test
    fun `every field is there before the first request, and what is not known yet is null`() {
        val fields = server.control("/evidence").json()
        fields.keys shouldContainExactly setOf(
            "schemaVersion",
            "arrived",
            "inFlight",
            "inFlightAtReset",
            "peakInFlight",
            "answered",
            "answeredEarly",
            "answeredOk",
            "rejected",
            "abandoned",
            "abandonedByClient",
            "onPurpose",
            "connectionsOpened",
            "connectionsOpen",
            "peakConnections",
            "connectionsRefused",
            "connectionsTimedOut",
            "acceptsFailed",
            "tlsHandshakes",
            "streamErrors",
            "connectionErrors",
            "requestsByProtocol",
            "connectionsByProtocol",
            "bytesSent",
            "bytesReceived",
            "overshootMs",
            "inFlightCurve",
            "firstArrivalMs",
            "lastAnswerMs",
            "listenOverflows",
            "listenDrops",
            "ownListenDrops",
            "cpuMs",
            "epochNanosAtReset",
            "nanoTimeAtReset",
        )
        fields["overshootMs"].toString() shouldBe """{"p50":null,"p90":null,"p99":null,"max":null,"count":0,"within":[]}"""
        fields["firstArrivalMs"].toString() shouldBe "null"
    }

    @Test
    fun `a waiter is told by the very request that makes it full`() {
        val waiter = server.controlLater("/evidence/await?inFlight=3&timeoutMs=60000")
        val second = server.controlLater("/evidence/await?inFlight=2&timeoutMs=60000")
        val connections = List(2) { server.connect().sendRequest("/delay?delay=60") }
        second.within().json()["reached"].toString() shouldBe "true"
        waiter.isDone shouldBe false
        server.connect().sendRequest("/delay?delay=60")
        val told = waiter.within().json()
        told["inFlight"].toString() shouldBe "3"
        told["atMs"].toString().toDouble() shouldBeGreaterThanOrEqual server.evidence().firstArrivalMs!!
        connections.size shouldBe 2
    }

    @Test
    fun `a waiter whose number is there already is told at once`() {
        server.connect().sendRequest("/delay?delay=60")
        server.awaitInFlight(1)
        server.control("/evidence/await?inFlight=1&timeoutMs=0").json()["reached"].toString() shouldBe "true"
    }

    @Test
    fun `a waiter whose time is over is told what there is and what there was at most`() {
        val pair = server.connect().sendRequest("/delay?delay=60").sendRequest("/delay?delay=60")
        server.awaitInFlight(2)
        pair.close()
        server.evidenceWhere { it.inFlight == 0 }
        server.connect().sendRequest("/delay?delay=60")
        server.awaitInFlight(1)
        val told = server.control("/evidence/await?inFlight=3&timeoutMs=20")
        told.body() shouldBe """{"reached":false,"inFlight":1,"peak":2}""" + "\n"
    }

    @ParameterizedTest
    @ValueSource(
        strings = [
            "", "?inFlight=", "?inFlight=0", "?inFlight=-1", "?inFlight=1.5", "?inFlight=x", "?inFlight=1&timeoutMs=x",
            "?inFlight=1&timeoutMs=-1", "?inFlight=1&timeoutMs=600001",
        ],
    )
    fun `a wait that cannot be is refused in one sentence`(query: String) {
        val answer = server.control("/evidence/await$query")
        answer.statusCode() shouldBe 400
        answer.body().trim().lines().size shouldBe 1
    }

    @Test
    fun `reset gives the evidence so far, forgets it, and carries over what is open`() {
        server.get("/delay?delay=-1")
        val open = server.connect().sendRequest("/delay?delay=60")
        server.awaitInFlight(1)
        val before = Json.decodeFromString<Evidence>(server.controlPost("/evidence/reset").body())
        before.arrived shouldBe 2
        before.rejected shouldBe 1
        val after = server.evidence()
        listOf(after.arrived, after.answered, after.rejected, after.connectionsOpened) shouldContainExactly listOf(0, 0, 0, 0)
        listOf(after.inFlight, after.inFlightAtReset, after.peakInFlight) shouldContainExactly listOf(1, 1, 1)
        after.connectionsOpen shouldBe before.connectionsOpen
        after.peakConnections shouldBe before.connectionsOpen
        after.inFlightCurve shouldContainExactly listOf(listOf(0.0, 1.0))
        after.firstArrivalMs.shouldBeNull()
        open.close()
        val end = server.evidenceWhere { it.abandoned == 1L }
        end.inFlightAtReset + end.arrived shouldBe end.answered + end.abandoned + end.inFlight
    }

    @Test
    fun `the curve begins at nothing, shows the peak, and ends at nothing`() {
        val answers = (1..20).map { server.getLater("/delay?delay=2") }
        server.awaitInFlight(20)
        answers.forEach { it.within() }
        val curve = server.evidence().inFlightCurve
        curve.first() shouldContainExactly listOf(0.0, 0.0)
        curve.last()[1] shouldBe 0.0
        curve.last()[0] shouldBeGreaterThanOrEqual 2000.0
        curve.map { it[1] } shouldContain 20.0
    }

    @Test
    fun `what an accept queue lost since the reset is a difference, on Linux`() {
        val seen = server.evidence()
        val onLinux = System.getProperty("os.name") == "Linux"
        (seen.listenOverflows != null) shouldBe onLinux
        (seen.listenDrops != null) shouldBe onLinux
    }

    @Test
    fun `the backlog that the system grants is read to its last digit`() {
        grantedBacklog() shouldBeGreaterThanOrEqual 128
    }

    @Test
    fun `a wrong method and a wrong path are refused`() {
        server.control("/evidence/reset").statusCode() shouldBe 405
        server.controlPost("/evidence").statusCode() shouldBe 405
        server.control("/delay").statusCode() shouldBe 404
        server.control("/shutdown").statusCode() shouldBe 405
    }
}
