package clientlab.tasks

import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.atomic.AtomicInteger

class TaskExecutorTest {
    private val all = listOf(
        "virtual",
        "pool-3",
        "pool-processors",
        "virtual-limited-3",
        "virtual-limited-processors",
        "coroutines-io",
        "coroutines-virtual",
    )

    @TestFactory
    fun `every task is run once, and all are done when it returns`(): List<DynamicTest> =
        all.map { id ->
            dynamicTest(id) {
                val done = ConcurrentLinkedQueue<Int>()
                TaskExecutor.named(id).run(50) { done += it }
                done.toList() shouldContainExactlyInAnyOrder (0 until 50).toList()
            }
        }

    @TestFactory
    fun `no more run at once than its limit, and as many do`(): List<DynamicTest> =
        listOf("pool-3", "virtual-limited-3").map { id ->
            dynamicTest(id) {
                val now = AtomicInteger()
                val most = AtomicInteger()
                // Each task waits until three are there: with a smaller limit this would never end.
                val three = CyclicBarrier(3)
                TaskExecutor.named(id).run(30) {
                    most.accumulateAndGet(now.incrementAndGet(), ::maxOf)
                    three.await()
                    now.decrementAndGet()
                }
                most.get() shouldBeLessThanOrEqual 3
                TaskExecutor.named(id).limit shouldBe 3
            }
        }

    @TestFactory
    fun `without a limit all tasks run at once`(): List<DynamicTest> =
        listOf("virtual", "coroutines-virtual").map { id ->
            dynamicTest(id) {
                val together = CyclicBarrier(200)
                TaskExecutor.named(id).run(200) { together.await() }
                TaskExecutor.named(id).limit shouldBe null
            }
        }

    @Test
    fun `processors are as many as this JVM may use`() {
        TaskExecutor.named("pool-processors").limit shouldBe Runtime.getRuntime().availableProcessors()
        TaskExecutor.named("virtual-limited-processors").limit shouldBe Runtime.getRuntime().availableProcessors()
    }

    @TestFactory
    fun `tasks are on the threads that it is named for`(): List<DynamicTest> =
        all.map { id ->
            dynamicTest(id) {
                val virtual = ConcurrentLinkedQueue<Boolean>()
                TaskExecutor.named(id).run(5) { virtual += Thread.currentThread().isVirtual }
                virtual.distinct() shouldBe listOf("virtual" in id)
            }
        }
}
