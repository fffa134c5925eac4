package clientlab.trial

import java.nio.file.Path
import java.security.KeyStore
import java.security.cert.CertificateFactory
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteIfExists
import kotlin.io.path.outputStream

/**
 * Makes this JVM trust the server's [certificates], in PEM, and nothing else, until it is closed.
 *
 * It changes the JVM's trust store (`javax.net.ssl.trustStore`), so that every client checks the server with its own code and defaults.
 * Make it before a client first speaks TLS, because the JVM reads its trust store once. The file is a JKS, because reading a PKCS #12
 * takes tens of milliseconds for its keys.
 */
public class ServerTrust(certificates: String) : AutoCloseable {
    private val file: Path = createTempFile("client-lab-trust", ".jks")

    init {
        val store = KeyStore.getInstance("JKS").apply { load(null, null) }
        val read = CertificateFactory.getInstance("X.509").generateCertificates(certificates.byteInputStream())
        read.forEachIndexed { number, certificate -> store.setCertificateEntry("server-$number", certificate) }
        file.outputStream().use { store.store(it, PASSWORD.toCharArray()) }
        System.setProperty(FILE, file.toString())
        System.setProperty(TYPE, "JKS")
        System.setProperty(WORD, PASSWORD)
    }

    override fun close() {
        listOf(FILE, TYPE, WORD).forEach(System::clearProperty)
        file.deleteIfExists()
    }

    private companion object {
        const val FILE = "javax.net.ssl.trustStore"
        const val TYPE = "javax.net.ssl.trustStoreType"
        const val WORD = "javax.net.ssl.trustStorePassword"
    }
}

/** A trust store has no secrets, but the format requires a password. */
private const val PASSWORD = "delay-server"
