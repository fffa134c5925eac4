package clientlab.server

import io.kotest.assertions.throwables.shouldNotThrowAny
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.junit.jupiter.api.Test
import java.security.SignatureException
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.Date

class SelfSignedCertificateTest {
    @Test
    fun `the certificate is one that the JDK reads, signed with its own key`() {
        val own = SelfSignedCertificate.forHost("127.0.0.1")
        val read = certificateOf(own.pem)
        shouldNotThrowAny { read.verify(read.publicKey) }
        read.version shouldBe 3
        read.subjectX500Principal shouldBe read.issuerX500Principal
        read.sigAlgName shouldBe "SHA256withECDSA"
        read.keyUsage.toList().indices.filter { read.keyUsage[it] } shouldBe listOf(0)
        read.extendedKeyUsage shouldBe listOf("1.3.6.1.5.5.7.3.1")
    }

    @Test
    fun `it is good for localhost, loopback and the address listened on`() {
        namesOf(SelfSignedCertificate.forHost("127.0.0.1")) shouldContainExactlyInAnyOrder
            listOf("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1")
        namesOf(SelfSignedCertificate.forHost("127.0.0.2")) shouldContainExactlyInAnyOrder
            listOf("localhost", "127.0.0.1", "127.0.0.2", "0:0:0:0:0:0:0:1")
    }

    @Test
    fun `it is good for every address of the machine where all are listened on`() {
        val names = namesOf(SelfSignedCertificate.forHost("0.0.0.0"))
        names.distinct() shouldBe names
        (listOf("localhost", "127.0.0.1") - names.toSet()) shouldBe emptyList()
    }

    @Test
    fun `it is good now and in a year, and not for long behind that`() {
        val read = certificateOf(SelfSignedCertificate.forHost("127.0.0.1").pem)
        val now = Instant.now()
        shouldNotThrowAny { read.checkValidity(Date.from(now)) }
        shouldNotThrowAny { read.checkValidity(Date.from(now.plus(364, ChronoUnit.DAYS))) }
        read.notAfter.toInstant().isBefore(now.plus(366, ChronoUnit.DAYS)) shouldBe true
    }

    @Test
    fun `each start makes another key`() {
        val one = certificateOf(SelfSignedCertificate.forHost("127.0.0.1").pem)
        val two = certificateOf(SelfSignedCertificate.forHost("127.0.0.1").pem)
        one.serialNumber shouldNotBe two.serialNumber
        shouldThrow<SignatureException> { one.verify(two.publicKey) }
    }

    private fun namesOf(own: SelfSignedCertificate): List<String> = certificateOf(own.pem).subjectAlternativeNames.map { it[1] as String }
}
