package clientlab.notebook.run

import clientlab.*
import clientlab.child.*
import clientlab.notebook.fork.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.paths.shouldExist
import io.kotest.matchers.paths.shouldNotExist
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.createDirectory
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.getPosixFilePermissions
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.setPosixFilePermissions
import kotlin.io.path.toPath
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.minutes

/** The lock between two users of one machine, in a folder like `/tmp`: open to all, where only its owner may remove a file. */
class SharedLockTest(
    @param:TempDir private val folder: Path,
) {
    private val file = folder.resolve("run.lock")

    @Test
    fun `the file can be written by every user, whatever the umask takes away`() {
        assumeTrue("posix" in folder.fileSystem.supportedFileAttributeViews(), "This system has no such permissions.")
        RunLock.take("threads", file).use {
            PosixFilePermissions.toString(file.getPosixFilePermissions()) shouldBe "rw-rw-rw-"
            file.readText().lines()[1] shouldBe System.getProperty("user.name")
        }
    }

    @Test
    fun `a link in its place is not followed, so that nobody's file is overwritten`() {
        val precious = folder.resolve("precious").also { it.writeText("precious") }
        file.createSymbolicLinkPointingTo(precious)
        runCatching { RunLock.take("threads", file).close() }.isFailure shouldBe true
        precious.readText() shouldBe "precious"
    }

    @Test
    fun `a second user is told in one sentence, takes the lock of a killed run, and leaves none to the next`() {
        val shared = sharedFolder()
        val file = shared.resolve("run.lock")
        another("daemon", file, "first") { first, said ->
            said shouldBe "taken"
            another("nobody", file, "second") { _, refusal ->
                refusal shouldStartWith "Another user's run is going on already (daemon: first, process ${first.pid}, since 2"
                refusal shouldEndWith "Z). Concurrent runs disturb each other: wait for it, or ask daemon to stop it."
            }
            RunLock.holder(file).shouldNotBeNull() shouldStartWith "first, process ${first.pid}"
        }
        // The first was killed, and its file is there still.
        file.shouldExist()
        RunLock.holder(file) shouldBe null
        another("nobody", file, "third") { third, said ->
            said shouldBe "taken"
            another("daemon", file, "fourth") { _, refusal ->
                refusal shouldStartWith
                    "Another user's run is going on already (nobody: third, "
            }
            third.tell("end")
            third.awaitEnd(1.minutes) shouldBe true
        }
        another("daemon", file, "fifth") { fifth, said ->
            said shouldBe "taken"
            fifth.tell("end")
            fifth.awaitEnd(1.minutes) shouldBe true
        }
        file.shouldNotExist()
    }

    @Test
    fun `a file that another user left behind and nobody else can write is named with what to do`() {
        val shared = sharedFolder()
        val file = shared.resolve("run.lock").also { it.writeText("of an older lab\n") }
        file.setPosixFilePermissions(PosixFilePermissions.fromString("rw-r--r--"))
        another("nobody", file, "second") { _, refusal ->
            refusal shouldBe "The file $file keeps two runs from disturbing each other, and it belongs to root and cannot be written: " +
                "ask root or an administrator to delete it, then run again."
        }
        RunLock.take("first", file).use {
            file.setPosixFilePermissions(PosixFilePermissions.fromString("rw-r--r--"))
            another("nobody", file, "second") { _, refusal ->
                refusal shouldMatch Regex("Another user's run is going on already \\(root: first, process \\d+, since .*")
            }
        }
        shouldThrow<LabException> { throw RunGoingOn("x", "root") }.message.shouldNotBeNull() shouldEndWith "ask root to stop it."
    }

    /** A folder like `/tmp`, with the sticky bit; skips the test where no other user can be had. */
    private fun sharedFolder(): Path {
        assumeTrue(System.getProperty("user.name") == "root", "Only root can start a process as another user.")
        assumeTrue(runs("setpriv", "--version"), "There is no setpriv here to start a process as another user.")
        // JUnit's folder lets nobody else in.
        folder.setPosixFilePermissions(PosixFilePermissions.fromString("rwxr-xr-x"))
        val shared = folder.resolve("tmp").createDirectory()
        runs("chmod", "1777", shared.toString()) shouldBe true
        return shared
    }

    private fun runs(vararg command: String): Boolean =
        runCatching {
            ProcessBuilder(*command)
                .redirectErrorStream(true)
                .start()
                .apply { inputStream.readAllBytes() }
                .waitFor() == 0
        }.getOrDefault(false)

    /** A JVM of [user] that tries to take the lock, and what it said. */
    private fun another(user: String, file: Path, experiment: String, then: (ChildProcess, String) -> Unit) {
        val asUser = listOf("setpriv", "--reuid=$user", "--regid=65534", "--clear-groups")
        val java = listOf(TrialJvm.java.toString(), "-Xmx64m", "-XX:-UsePerfData", "-cp", classpath, LockRun::class.java.name)
        ChildProcess(asUser + java + listOf(file.toString(), experiment)).use { child ->
            then(child, child.nextLine(1.minutes) ?: error("It said nothing: ${child.lastWords()}"))
        }
    }

    /** Copies of what [LockRun] needs, because the folder of the build and that of the jars may be closed to other users. */
    private val classpath: String by lazy {
        val copies = folder.resolve("classes").createDirectory()
        listOf(RunLock::class, LockRun::class, LabException::class, Unit::class)
            .map {
                it.java.protectionDomain.codeSource.location.toURI().toPath()
            }.mapIndexed { at, from ->
                copies.resolve("$at-${from.name}").also { runs("cp", "-r", "$from", "$it") shouldBe true }
            }.also { runs("chmod", "-R", "a+rX", copies.toString()) shouldBe true }
            .joinToString(System.getProperty("path.separator"))
    }
}
