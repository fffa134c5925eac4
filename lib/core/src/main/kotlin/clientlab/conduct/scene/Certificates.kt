package clientlab.conduct.scene

import clientlab.*
import clientlab.trial.*
import java.nio.file.Path
import java.security.KeyStore
import java.util.Base64
import java.util.concurrent.TimeUnit
import javax.net.ssl.KeyManagerFactory
import javax.net.ssl.SSLContext
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.copyTo
import kotlin.io.path.createTempDirectory
import kotlin.io.path.deleteRecursively
import kotlin.io.path.inputStream

/** The certificate that a server shows. This JVM trusts the signer of all of them, except for [Stranger]. */
internal enum class Certificate(val options: List<String>, val signed: Boolean = true) {
    /** It is for this machine. */
    Own(listOf("-ext", LOOPBACK)),

    /** It is for another host. */
    OtherHost(listOf("-ext", "san=dns:other.test")),

    /** It was for this machine until yesterday. */
    Expired(listOf("-ext", LOOPBACK, "-startdate", "-10d", "-validity", "9")),

    /** It is for this machine, and signed by itself alone. */
    Stranger(listOf("-ext", LOOPBACK), signed = false),
}

/**
 * Fresh keys with a certificate each, which the JDK's own `keytool` makes, in memory. This JVM trusts their signer and nobody else until
 * [close]. Make it before a client first speaks TLS.
 */
internal class Certificates private constructor(private val stores: Map<Certificate, KeyStore>, signer: String) : AutoCloseable {
    private val trust = ServerTrust(signer)

    /** What a server with [certificate] speaks TLS with. */
    fun context(certificate: Certificate): SSLContext {
        val keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm())
        keys.init(stores.getValue(certificate), WORD)
        return SSLContext.getInstance("TLS").apply { init(keys.keyManagers, null, null) }
    }

    override fun close(): Unit = trust.close()

    companion object {
        @OptIn(ExperimentalPathApi::class)
        fun make(): Certificates {
            val folder = createTempDirectory("client-lab-keys")
            try {
                val signer = folder.resolve("$SIGNER.p12")
                await(keytool(signer, SIGNER, listOf("-ext", "bc:c", "-startdate", "-30d")))
                val files = Certificate.entries.associateWith { folder.resolve("$it.p12") }
                // All at once, each in a process of its own.
                files.map { (certificate, file) -> keytool(certificate, file, signer) }.forEach(::await)
                return Certificates(files.mapValues { (_, file) -> loaded(file).apply { deleteEntry(SIGNER) } }, pem(loaded(signer)))
            } finally {
                folder.deleteRecursively()
            }
        }

        private fun keytool(certificate: Certificate, file: Path, signer: Path): Process {
            if (!certificate.signed) return keytool(file, SERVER, certificate.options)
            signer.copyTo(file)
            return keytool(file, SERVER, certificate.options + listOf("-signer", SIGNER))
        }

        private fun keytool(file: Path, alias: String, options: List<String>): Process {
            val command = Path.of(System.getProperty("java.home"), "bin", "keytool").toString()
            val store = listOf("-keystore", "$file", "-storepass", PASSWORD, "-alias", alias)
            return ProcessBuilder(listOf(command, "-genkeypair") + QUICK + KEY + store + options).redirectErrorStream(true).start()
        }

        private fun await(keytool: Process) {
            val ended = keytool.waitFor(PATIENCE_S, TimeUnit.SECONDS)
            val words = if (ended) keytool.inputReader().readText() else "it did not end".also { keytool.destroyForcibly() }
            if (!ended || keytool.exitValue() != 0) throw LabException("keytool made no certificate: ${words.trim()}")
        }

        private fun loaded(file: Path): KeyStore =
            file.inputStream().use { from -> KeyStore.getInstance("PKCS12").apply { load(from, WORD) } }

        private fun pem(store: KeyStore): String =
            "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(store.getCertificate(SIGNER).encoded) +
                "\n-----END CERTIFICATE-----\n"

        private const val SIGNER = "signer"
        private const val SERVER = "server"
        private const val PASSWORD = "conduct"
        private const val PATIENCE_S = 20L
        private val WORD = PASSWORD.toCharArray()

        /** Its start takes a third of the time so, and the keys live for a trial alone. */
        private val QUICK = listOf("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC") +
            listOf("key", "cert").map { "-J-Dkeystore.pkcs12.${it}PbeIterationCount=100" } + "-J-Dkeystore.pkcs12.macIterationCount=100"
        private val KEY = listOf("-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=Client Lab", "-storetype", "PKCS12")
    }
}

private const val LOOPBACK = "san=ip:127.0.0.1,dns:localhost"
