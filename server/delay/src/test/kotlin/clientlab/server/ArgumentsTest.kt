package clientlab.server

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class ArgumentsTest {
    @Test
    fun `without arguments the server takes free ports of loopback`() {
        parseArguments(emptyArray()).settings shouldBe ServerSettings()
    }

    @Test
    fun `every option is understood`() {
        val line =
            "--host 0.0.0.0 --port 8080 --control-port 8081 --max-delay 2.5 --max-in-flight 7 --transport nio --parent-stdin --help " +
                "--expose --token 0123456789abcdef --max-connections 8 --max-rate 9 --max-burst 3 --head-timeout 1.5 --idle-timeout 20"
        val arguments = parseArguments(line.split(' ').toTypedArray())
        arguments.settings shouldBe ServerSettings(
            host = "0.0.0.0",
            port = 8080,
            controlPort = 8081,
            maxDelay = 2500.milliseconds,
            maxInFlight = 7,
            transport = Transport.NIO,
            maxConnections = 8,
            maxRate = 9,
            maxBurst = 3,
            headTimeout = 1500.milliseconds,
            idleTimeout = 20.seconds,
            isExposed = true,
            token = "0123456789abcdef",
        )
        arguments.leavesWithParent shouldBe true
        arguments.wantsHelp shouldBe true
    }

    @Test
    fun `a port for TLS and a limit of streams are understood`() {
        val settings = parseArguments("--tls-port 0 --max-streams 100 --upgrade".split(' ').toTypedArray()).settings
        settings shouldBe ServerSettings(tlsPort = 0, maxStreams = 100, takesUpgrades = true)
    }

    @ParameterizedTest
    @ValueSource(
        strings = [
            "--prot 1", "--port", "--port -1", "--port 65536", "--port x", "--max-delay -1", "--max-delay NaN", "--max-delay 86401",
            "--max-connections 0", "--max-rate x", "--head-timeout 0", "--idle-timeout 90000", "--token short", "--delays", "--delays x",
            "--delays =x", "--delays a/b=x", "--delays day=no/such/file",
            "--max-in-flight 0", "--transport kqueue", "--port 9 --control-port 9", "--tls-port 9 --control-port 9", "--tls-port x",
            "--max-streams 0", "8080",
        ],
    )
    fun `what cannot be used is refused in one sentence`(line: String) {
        val sentence = shouldThrow<CannotStartException> { parseArguments(line.split(' ').toTypedArray()) }.message!!
        sentence.lines().size shouldBe 1
        sentence.last() shouldBe '.'
    }

    @Test
    fun `delays are read from a file, one a line`(
        @TempDir folder: Path,
    ) {
        val file = Files.writeString(folder.resolve("day.txt"), "# of a day\n0.1\n\n250ms # slow\n 1.5s\n")
        val settings = parseArguments(arrayOf("--delays", "day=$file", "--delays", "night=$file")).settings
        settings.delays.keys shouldBe setOf("day", "night")
        settings.delays.getValue("day").toList() shouldBe listOf(100_000_000L, 250_000_000L, 1_500_000_000L)
    }

    @Test
    fun `a file of delays that cannot be used is refused with its line`(
        @TempDir folder: Path,
    ) {
        fun refusal(text: String): String? {
            val file = Files.writeString(folder.resolve("day.txt"), text)
            return shouldThrow<CannotStartException> { parseArguments(arrayOf("--delays", "day=$file")) }.message
        }
        refusal("0.1\n-1\n") shouldBe "--delays day: line 2 is -1, and must be a delay: seconds, or a time such as 250ms."
        refusal("# nothing\n")!! shouldContain "has no delay in it"
        shouldThrow<CannotStartException> { parseArguments(arrayOf("--delays", "day=$folder")) }.message!! shouldContain "cannot be read"
    }

    @Test
    fun `a token that is refused is not repeated`() {
        shouldThrow<CannotStartException> { parseArguments(arrayOf("--token", "hush")) }.message!! shouldNotContain "hush"
    }

    @Test
    fun `the sentence names the option, what was given and what would be right`() {
        val refused = shouldThrow<CannotStartException> { parseArguments(arrayOf("--port", "http")) }
        refused.message shouldStartWith "--port http cannot be used: give a port from 0 to 65535"
    }
}
