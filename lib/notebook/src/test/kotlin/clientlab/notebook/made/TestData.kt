package clientlab.notebook.made

import java.nio.file.Path

/** Lets [test] keep its runs below [folder] and take its lock there, so that it neither waits for a run of this machine nor leaves data. */
internal fun withDataIn(folder: Path, test: () -> Unit) {
    val temporary = System.getProperty("java.io.tmpdir")
    System.setProperty("lab.data", folder.toString())
    System.setProperty("java.io.tmpdir", folder.toString())
    try {
        test()
    } finally {
        System.clearProperty("lab.data")
        System.setProperty("java.io.tmpdir", temporary)
    }
}
