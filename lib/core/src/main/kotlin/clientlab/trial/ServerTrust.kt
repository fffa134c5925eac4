package clientlab.trial

import java.nio.file.Path
import java.security.KeyStore
import java.security.cert.CertificateFactory
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteIfExists
import kotlin.io.path.outputStream

/**
 * Makes this JVM trust the server's [certificate], in PEM, and nothing else, until it is closed.
 *
 * It changes the JVM's trust store (`javax.net.ssl.trustStore`), so that every client checks the server with its own code and defaults.
 * Make it before a client first speaks TLS, because the JVM reads its trust store once. The file is a JKS, because reading a PKCS #12
 * takes tens of milliseconds for its keys.
 */
public class ServerTrust(certificate: String) : AutoCloseable {
    private val file: Path = createTempFile("client-lab-trust", ".jks")

    init {
        val store = KeyStore.getInstance("JKS").apply { load(null, null) }
        val read = CertificateFactory.getInstance("X.509").generateCertificate(certificate.byteInputStream())
        store.setCertificateEntry("delay-server", read)
        file.outputStream().use { store.store(it, PASSWORD.toCharArray()) }
        System.setProperty("javax.net.ssl.trustStore", file.toString())
        System.setProperty("javax.net.ssl.trustStoreType", "JKS")
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD)
    }

    override fun close() {
        file.deleteIfExists()
    }
}

/** A trust store has no secrets, but the format requires a password. */
private const val PASSWORD = "delay-server"
