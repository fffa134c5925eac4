package clientlab.notebook.run

import clientlab.*
import java.nio.file.Path

/** Takes the lock of the file named first for the experiment named second, says whether it has it, and keeps it to its end. */
internal object LockRun {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val (file, experiment) = arguments
        val lock =
            try {
                RunLock.take(experiment, Path.of(file)).also { println("taken") }
            } catch (e: LabException) {
                println(e.message)
                null
            }
        readlnOrNull()
        lock?.close()
    }
}
