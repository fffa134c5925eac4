package clientlab.server

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import kotlin.time.Duration.Companion.milliseconds

class ArgumentsTest {
    @Test
    fun `without arguments the server takes free ports of loopback`() {
        parseArguments(emptyArray()).settings shouldBe ServerSettings()
    }

    @Test
    fun `every option is understood`() {
        val line = "--host 0.0.0.0 --port 8080 --control-port 8081 --max-delay 2.5 --max-in-flight 7 --transport nio --parent-stdin --help"
        val arguments = parseArguments(line.split(' ').toTypedArray())
        arguments.settings shouldBe ServerSettings("0.0.0.0", 8080, 8081, 2500.milliseconds, 7, Transport.NIO)
        arguments.leavesWithParent shouldBe true
        arguments.wantsHelp shouldBe true
    }

    @ParameterizedTest
    @ValueSource(
        strings = [
            "--prot 1", "--port", "--port -1", "--port 65536", "--port x", "--max-delay -1", "--max-delay NaN", "--max-delay 86401",
            "--max-in-flight 0", "--transport kqueue", "--port 9 --control-port 9", "8080",
        ],
    )
    fun `what cannot be used is refused in one sentence`(line: String) {
        val sentence = shouldThrow<CannotStartException> { parseArguments(line.split(' ').toTypedArray()) }.message!!
        sentence.lines().size shouldBe 1
        sentence.last() shouldBe '.'
    }

    @Test
    fun `the sentence names the option, what was given and what would be right`() {
        val refused = shouldThrow<CannotStartException> { parseArguments(arrayOf("--port", "http")) }
        refused.message shouldStartWith "--port http cannot be used: give a port from 0 to 65535"
    }
}
