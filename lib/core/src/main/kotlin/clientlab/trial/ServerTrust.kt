package clientlab.trial

import java.nio.file.Path
import java.security.KeyStore
import java.security.cert.CertificateFactory
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteIfExists
import kotlin.io.path.outputStream

/**
 * Makes the server's own certificate what this JVM trusts, and nothing else, until it is closed.
 *
 * It is the JVM's trust store that is changed (`javax.net.ssl.trustStore`), so that every client checks the server as it comes, by code
 * that is its own: an adapter that trusted it in its own way would measure that way. It has to stand before a client first speaks TLS,
 * for what the JVM trusts is read once. The file is a JKS, for a PKCS #12 would spend tens of milliseconds on keys when it is read.
 *
 * @param certificate what to trust, in PEM.
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

    private companion object {
        /** A trust store holds nothing secret, but the format wants one. */
        private const val PASSWORD = "delay-server"
    }
}
