package clientlab.server

import java.net.http.HttpClient
import java.security.KeyStore
import java.security.cert.CertificateFactory
import java.security.cert.X509Certificate
import javax.net.ssl.SSLContext
import javax.net.ssl.TrustManagerFactory

/** The certificate in [pem], read as any client reads one. */
fun certificateOf(pem: String): X509Certificate =
    CertificateFactory.getInstance("X.509").generateCertificate(pem.byteInputStream()) as X509Certificate

/** A TLS context that trusts what [pem] says, and nothing else. */
fun trusting(pem: String): SSLContext {
    val store = KeyStore.getInstance(KeyStore.getDefaultType())
    store.load(null)
    store.setCertificateEntry("server", certificateOf(pem))
    val trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm()).apply { init(store) }
    return SSLContext.getInstance("TLS").apply { init(null, trust.trustManagers, null) }
}

/** The JDK's client over TLS. */
fun tlsClient(pem: String, version: HttpClient.Version): HttpClient =
    HttpClient.newBuilder().version(version).sslContext(trusting(pem)).build()
