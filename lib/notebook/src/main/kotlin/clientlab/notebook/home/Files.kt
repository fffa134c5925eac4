package clientlab.notebook.home

import java.nio.file.Path
import java.security.MessageDigest
import java.util.HexFormat
import java.util.concurrent.TimeUnit
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.toPath

/** What is in this folder and fits [glob], by name; nothing if there is no such folder. */
internal fun Path.entries(glob: String = "*"): List<Path> =
    if (isDirectory()) listDirectoryEntries(glob).sortedBy { it.name } else emptyList()

/** SHA-256 in lower-case letters, as manifests and locks have it. */
internal object Sha256 {
    fun of(file: Path): String = of(file.readBytes())

    fun of(text: String): String = of(text.encodeToByteArray())

    private fun of(bytes: ByteArray) = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
}

/** The jar of this library, or the folder of its classes. */
internal fun ownJar(): Path? =
    runCatching { LabHome::class.java.protectionDomain.codeSource.location }.mapCatching { it.toURI().toPath() }.getOrNull()

/** What [command] prints, with its errors if [errors]; null if it fails. */
internal fun outputOf(vararg command: String, errors: Boolean = false): String? =
    runCatching {
        val builder = ProcessBuilder(*command).redirectErrorStream(errors)
        val process = if (errors) builder.start() else builder.redirectError(ProcessBuilder.Redirect.DISCARD).start()
        process.outputStream.close()
        val text = process.inputStream.bufferedReader().readText()
        text.takeIf { process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0 }
    }.getOrNull()

private const val PATIENCE_SECONDS = 20L
