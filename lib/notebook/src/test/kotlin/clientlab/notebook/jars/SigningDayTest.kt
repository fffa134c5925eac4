package clientlab.notebook.jars

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.time.LocalDate

class SigningDayTest {
    @Test
    fun `the day of a signature is in it`() {
        SigningDay.of(SIGNATURE) shouldBe LocalDate.of(2025, 5, 15)
        SigningDay.of(SIGNATURE.replace("SIGNATURE-----\n\n", "SIGNATURE-----\nVersion: some signer\n\n")) shouldBe
            LocalDate.of(2025, 5, 15)
        SigningDay.of(SIGNATURE.replace("\n", "\r\n")) shouldBe LocalDate.of(2025, 5, 15)
    }

    @Test
    fun `what is no signature has no day`() {
        SigningDay.of("") shouldBe null
        SigningDay.of("<html><body>404</body></html>\n\nNot found") shouldBe null
        SigningDay.of(SIGNATURE.lines().take(3).joinToString("\n") { it.take(16) }) shouldBe null
    }

    private companion object {
        /** Of a file with the words "a file", made by gpg at noon on 15 May 2025 with a key of its own. */
        val SIGNATURE = """
            -----BEGIN PGP SIGNATURE-----

            iHUEABYIAB0WIQRY/tx+2uLN07a+V9v375VENZbz3gUCaCXXQAAKCRD375VENZbz
            3g5HAP9NXfNKMxoPBnhmBaxwzEvznSZMPOOJfcG7Y7zhB6KHogD/XvAB1pCRMS7N
            eI7i1R4T8laaMAUAe6RXuOy4sZcrMQs=
            =YIJP
            -----END PGP SIGNATURE-----
        """.trimIndent()
    }
}
