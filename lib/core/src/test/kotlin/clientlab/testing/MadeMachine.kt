package clientlab.testing

import clientlab.probe.*
import java.nio.file.Path
import kotlin.io.path.createParentDirectories
import kotlin.io.path.writeText

/** A machine of text files in the layout of `/proc` and `/sys`; what is not written is not readable on it. */
internal class MadeMachine(private val root: Path) {
    val files = SystemFiles(root)

    fun write(path: String, text: String) {
        root.resolve(path).createParentDirectories().writeText(text)
    }

    /** Ticks of two processors together. */
    fun ticks(user: Long = 0, nice: Long = 0, system: Long = 0, idle: Long = 0, wait: Long = 0, softirq: Long = 0, steal: Long = 0) =
        write(
            "proc/stat",
            "cpu  $user $nice $system $idle $wait 0 $softirq $steal 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\nintr 5\n",
        )

    /** A process with its own ticks and those of its children that have ended. */
    fun process(
        pid: Long,
        parent: Long,
        own: Long,
        children: Long = 0,
        name: String = "java",
        kernel: Boolean = false,
        started: Long = pid,
    ) = write(
        "proc/$pid/stat",
        "$pid ($name) S $parent 1 1 0 -1 ${if (kernel) 2129984 else 4194560} 9 9 9 9 $own 0 $children 0 20 0 1 0 $started 1000 1 1",
    )
}
