package clientlab.notebook.home

import java.nio.file.Path
import java.security.MessageDigest
import kotlin.io.path.inputStream

/** SHA-256 in lower-case letters, as manifests and locks have it. */
internal object Sha256 {
    fun of(file: Path): String {
        val digest = MessageDigest.getInstance("SHA-256")
        file.inputStream().use { input ->
            val buffer = ByteArray(1 shl 16)
            while (true) {
                val read = input.read(buffer)
                if (read < 0) break
                digest.update(buffer, 0, read)
            }
        }
        return digest.digest().joinToString("") { "%02x".format(it) }
    }
}
