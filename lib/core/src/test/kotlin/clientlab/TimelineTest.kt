package clientlab

import clientlab.client.*
import clientlab.probe.*
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class TimelineTest {
    private fun timeline(n: Int) =
        Timeline(
            number = List(n) { it },
            askedMs = List(n) { it.toDouble() },
            leftQueueMs = List(n) { null },
            connectedMs = List(n) { null },
            arrivedMs = List(n) { it + 1.0 },
            answeredMs = List(n) { it + 2.0 },
            readMs = List(n) { it + 3.0 },
            connection = List(n) { it },
        )

    @Test
    fun `a sample keeps first and last, is in order, and holds each request once`() {
        val sample = timeline(1001).sample(200)
        sample.size shouldBe 200
        sample.number.first() shouldBe 0
        sample.number.last() shouldBe 1000
        sample.number.shouldBeSorted()
        sample.number.distinct().size shouldBe 200
        sample.arrivedMs.map { it!! - 1 } shouldContainExactly sample.askedMs
    }

    @Test
    fun `what is small enough is kept as it is`() {
        timeline(200).sample(200) shouldBe timeline(200)
        timeline(1).sample(200).size shouldBe 1
    }

    @Test
    fun `an event is told by the number in its path, and one without a number by nobody`() {
        val log = EventLog(3)
        log.happened("/delay?delay=1.0&a=2", RequestEvent.LeftQueue, 17)
        log.happened("/delay?a=2&delay=1.0", RequestEvent.ConnectionReady, 23)
        log.happened("/delay?a=3", RequestEvent.LeftQueue, 1)
        log.happened("/health", RequestEvent.LeftQueue, 1)
        log.happened("/delay?a=x", RequestEvent.LeftQueue, 1)
        log.at(2, RequestEvent.LeftQueue) shouldBe 17
        log.at(2, RequestEvent.ConnectionReady) shouldBe 23
        (0..1).forEach { log.at(it, RequestEvent.LeftQueue).shouldBeNull() }
    }

    @Test
    fun `of an event that comes twice the last counts, as for a call that is tried again`() {
        val log = EventLog(1)
        listOf(5L, 9L).forEach { log.happened("/delay?a=0", RequestEvent.ConnectionReady, it) }
        log.at(0, RequestEvent.ConnectionReady) shouldBe 9
    }
}
