package clientlab.server

import java.io.ByteArrayOutputStream
import java.math.BigInteger
import java.net.InetAddress
import java.net.NetworkInterface
import java.security.KeyPair
import java.security.KeyPairGenerator
import java.security.PrivateKey
import java.security.SecureRandom
import java.security.Signature
import java.security.cert.CertificateFactory
import java.security.cert.X509Certificate
import java.security.spec.ECGenParameterSpec
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.time.temporal.ChronoUnit
import java.util.Base64
import java.util.HexFormat
import javax.security.auth.x500.X500Principal

/**
 * A key that never leaves this process, and a self-signed certificate for it (X.509, RFC 5280; P-256 with SHA-256), valid for `localhost`,
 * the loopback addresses and the address listened on. DECISIONS.md says why this class writes the DER itself.
 */
internal class SelfSignedCertificate private constructor(val key: PrivateKey, val certificate: X509Certificate) {
    /** The certificate in PEM, which clients add to their trust store. */
    val pem: String
        get() = "-----BEGIN CERTIFICATE-----\n" +
            Base64.getMimeEncoder(64, byteArrayOf('\n'.code.toByte())).encodeToString(certificate.encoded) +
            "\n-----END CERTIFICATE-----\n"

    companion object {
        fun forHost(host: String): SelfSignedCertificate {
            val pair = KeyPairGenerator.getInstance("EC").apply { initialize(ECGenParameterSpec("secp256r1")) }.generateKeyPair()
            val wanted = tbs(pair, addresses(host))
            val signature = Signature.getInstance("SHA256withECDSA").run {
                initSign(pair.private)
                update(wanted)
                sign()
            }
            val encoded = der(SEQUENCE, wanted, ECDSA_WITH_SHA256, der(BIT_STRING, byteArrayOf(0), signature))
            val read = CertificateFactory.getInstance("X.509").generateCertificate(encoded.inputStream())
            return SelfSignedCertificate(pair.private, read as X509Certificate)
        }

        private fun addresses(host: String): List<InetAddress> {
            val loopback = listOf("127.0.0.1", "::1").map { InetAddress.getByName(it) }
            val own = InetAddress.getByName(host)
            val all = NetworkInterface.networkInterfaces().flatMap { it.inetAddresses() }
            val others = if (own.isAnyLocalAddress) all.toList() else listOf(own)
            return (loopback + others).distinctBy { it.address.asList() }
        }

        private fun tbs(pair: KeyPair, addresses: List<InetAddress>): ByteArray {
            val now = Instant.now()
            val name = X500Principal("CN=Client Lab delay server").encoded
            val validity = der(SEQUENCE, time(now.minus(1, ChronoUnit.DAYS)), time(now.plus(365, ChronoUnit.DAYS)))
            val serial = der(INTEGER, BigInteger(SERIAL_BITS, SecureRandom()).setBit(SERIAL_BITS - 1).toByteArray())
            val hosts = addresses.map { der(IP_ADDRESS, it.address) }.toTypedArray()
            val names = der(SEQUENCE, der(DNS_NAME, "localhost".encodeToByteArray()), *hosts)
            val extensions = der(
                SEQUENCE,
                extension(KEY_USAGE, CRITICAL, value = DIGITAL_SIGNATURE),
                extension(EXTENDED_KEY_USAGE, value = der(SEQUENCE, SERVER_AUTH)),
                extension(SUBJECT_ALTERNATIVE_NAME, value = names),
            )
            // The number of version 3 is 2.
            val version = der(CONTEXT or 0, der(INTEGER, byteArrayOf(2)))
            val key = pair.public.encoded
            return der(SEQUENCE, version, serial, ECDSA_WITH_SHA256, name, validity, name, key, der(CONTEXT or 3, extensions))
        }

        private fun extension(vararg head: ByteArray, value: ByteArray): ByteArray = der(SEQUENCE, *head, der(OCTET_STRING, value))

        /** A year has two digits up to 2049, and four from then on: RFC 5280, 4.1.2.5. */
        private fun time(at: Instant): ByteArray {
            val utc = at.atOffset(ZoneOffset.UTC)
            val isShort = utc.year < 2050
            val pattern = if (isShort) "yyMMddHHmmss'Z'" else "yyyyMMddHHmmss'Z'"
            return der(if (isShort) UTC_TIME else GENERALIZED_TIME, DateTimeFormatter.ofPattern(pattern).format(utc).encodeToByteArray())
        }

        private fun der(tag: Int, vararg parts: ByteArray): ByteArray {
            val length = parts.sumOf { it.size }
            val out = ByteArrayOutputStream(length + 4)
            out.write(tag)
            when {
                length < 0x80 -> out.write(length)
                length < 0x100 -> out.writeBytes(byteArrayOf(0x81.toByte(), length.toByte()))
                else -> out.writeBytes(byteArrayOf(0x82.toByte(), (length shr 8).toByte(), length.toByte()))
            }
            parts.forEach { out.writeBytes(it) }
            return out.toByteArray()
        }

        private fun bytes(hex: String): ByteArray = HexFormat.of().parseHex(hex)

        private const val INTEGER = 0x02
        private const val BIT_STRING = 0x03
        private const val OCTET_STRING = 0x04
        private const val UTC_TIME = 0x17
        private const val GENERALIZED_TIME = 0x18
        private const val SEQUENCE = 0x30
        private const val DNS_NAME = 0x82
        private const val IP_ADDRESS = 0x87
        private const val CONTEXT = 0xA0
        private const val SERIAL_BITS = 127

        private val CRITICAL = bytes("0101ff")
        private val DIGITAL_SIGNATURE = bytes("03020780")

        // Object identifiers: 1.2.840.10045.4.3.2, 2.5.29.15, 2.5.29.37, 2.5.29.17 and 1.3.6.1.5.5.7.3.1.
        private val ECDSA_WITH_SHA256 = der(SEQUENCE, bytes("06082a8648ce3d040302"))
        private val KEY_USAGE = bytes("0603551d0f")
        private val EXTENDED_KEY_USAGE = bytes("0603551d25")
        private val SUBJECT_ALTERNATIVE_NAME = bytes("0603551d11")
        private val SERVER_AUTH = bytes("06082b06010505070301")
    }
}
