package clientlab.idle

import clientlab.testing.*
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory

class IdleTasksLoadTest {
    @TestFactory
    fun `all tasks wait at once, and none ends before it is let go`(): List<DynamicTest> =
        Mechanism.entries.flatMap { mechanism -> listOf(0, 20).map { mechanism to it } }.map { (mechanism, depth) ->
            dynamicTest("${mechanism.label} under $depth frames") {
                val load = IdleTasksLoad(mechanism, stackDepth = depth)
                load.use {
                    load.start(50)
                    eventually({ "${load.begun} have begun" }) { load.settled }
                    load.begun shouldBe 50
                    load.ended shouldBe 0
                }
                eventually({ "${load.ended} have ended" }) { load.ended == 50 }
            }
        }

    @TestFactory
    fun `as many compute as can, the rest queues, and all end when they are told`(): List<DynamicTest> =
        Mechanism.entries.map { mechanism ->
            dynamicTest(mechanism.label) {
                val load = IdleTasksLoad(mechanism, TaskState.Computing)
                load.use {
                    load.start(8)
                    eventually({ "${load.begun} of ${load.possible} have begun" }) { load.settled }
                    load.ended shouldBe 0
                }
                eventually({ "${load.ended} have ended" }) { load.ended == 8 }
            }
        }
}
