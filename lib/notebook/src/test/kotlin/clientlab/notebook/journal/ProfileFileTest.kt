package clientlab.notebook.journal

import clientlab.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.name
import kotlin.io.path.writeText

class ProfileFileTest {
    @TempDir
    private lateinit var folder: Path

    @Test
    fun `like threads are put together, and lambdas lose their address`() {
        val raw = folder.resolve("raw.collapsed")
        raw.writeText(
            """
            [OkHttp http://127.0.0.1:4000/... tid=12];java/lang/Thread.run;okio/Buffer.read 3
            [OkHttp http://127.0.0.1:4000/... tid=13];java/lang/Thread.run;okio/Buffer.read 4
            [main tid=1];T${'$'}${'$'}Lambda.0x00007f0001002000.run;int[]_[i] 65536
            [C2 CompilerThre tid=9];clone3;C2Compiler::compile_method(int, long) 5
            """.trimIndent(),
        )
        val kept = ProfileFile.path(folder, 3, Treatment("client" to "ktor-cio@article", "protocol" to "http/1.1", "inFlight" to 10))
        kept.name shouldBe "003-client=ktor-cio@article_protocol=http_1.1_inFlight=10.collapsed.gz"
        kept.parent.createDirectories()
        ProfileFile.keep(raw, kept)
        ProfileFile.read(kept) shouldContainExactly
            listOf(
                Stack(listOf("[C# CompilerThre]", "clone3", "C2Compiler::compile_method(int, long)"), 5),
                Stack(listOf("[OkHttp http://#.#.#.#:#/...]", "java/lang/Thread.run", "okio/Buffer.read"), 7),
                Stack(listOf("[main]", "T${'$'}${'$'}Lambda.run", "int[]_[i]"), 65_536),
            )
    }
}
