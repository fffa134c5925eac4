package clientlab.notebook.journal

import java.nio.file.Path
import java.util.concurrent.TimeUnit

/** The commit of a checkout, and whether the measuring code differs from it; null without git or a checkout. */
internal class GitState private constructor(val commit: String, val dirty: Boolean) {
    companion object {
        fun of(root: Path): GitState? {
            val commit = git(root, "rev-parse", "HEAD")?.trim()?.takeIf(String::isNotEmpty) ?: return null
            return GitState(commit, dirty = !git(root, "status", "--porcelain", "--", "lib", "server", "pom.xml").isNullOrBlank())
        }

        private fun git(root: Path, vararg words: String): String? =
            runCatching {
                val process = ProcessBuilder("git", "-C", root.toString(), *words).redirectError(ProcessBuilder.Redirect.DISCARD).start()
                process.outputStream.close()
                val text = process.inputStream.bufferedReader().readText()
                if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0) text else null
            }.getOrNull()

        private const val PATIENCE_SECONDS = 10L
    }
}
