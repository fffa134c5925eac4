package clientlab.notebook.journal

import clientlab.notebook.home.*
import java.nio.file.Path

/** The commit of a checkout, and whether the measuring code differs from it. */
internal class GitState private constructor(val commit: String, val dirty: Boolean) {
    companion object {
        /** The state of [root]; null without git or a checkout. */
        fun of(root: Path): GitState? {
            val commit = outputOf("git", "-C", "$root", "rev-parse", "HEAD")?.trim()?.ifEmpty { null } ?: return null
            val changes = outputOf("git", "-C", "$root", "status", "--porcelain", "--", "lib", "server", "pom.xml")
            return GitState(commit, dirty = !changes.isNullOrBlank())
        }
    }
}
