package clientlab.probe

import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createParentDirectories
import kotlin.io.path.writeText

class AllowedProcessorsTest {
    @Test
    fun `a list of Linux is read as its numbers`() {
        mapOf("0-1" to listOf(0, 1), "2,5-7" to listOf(2, 5, 6, 7), "3" to listOf(3), "0-1,10" to listOf(0, 1, 10), "" to emptyList())
            .forEach { (list, numbers) -> AllowedProcessors.parse(list) shouldBe numbers }
    }

    @Test
    fun `the processors of a process are those of its status, and none where there is no such file`(
        @TempDir root: Path,
    ) {
        root.resolve("proc/17/status").createParentDirectories().writeText("Name:\tjava\nCpus_allowed:\te4\nCpus_allowed_list:\t2,5-7\n")
        AllowedProcessors.of("17", SystemFiles(root)) shouldBe listOf(2, 5, 6, 7)
        AllowedProcessors.of("self", SystemFiles(root)) shouldBe emptyList()
    }

    @Test
    fun `a thread of the harness stays where it is if the client has no processors of its own`() {
        assumeTrue(Files.exists(Path.of("/proc/thread-self")), "only Linux tells the processors of a thread")
        val before = AllowedProcessors.of("thread-self").shouldNotBeEmpty()
        HarnessProcessors.take()
        AllowedProcessors.of("thread-self") shouldBe before
        HarnessProcessors.stayed shouldBe emptySet()
    }
}
