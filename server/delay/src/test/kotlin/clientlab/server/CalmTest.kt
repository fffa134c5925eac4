package clientlab.server

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CalmTest {
    @Test
    fun `as many as are allowed are allowed, and one more is not`() {
        val calm = Calm()
        (1..Calm.MOST).all { calm.allows(it.toLong()) } shouldBe true
        calm.allows(Calm.MOST + 1L) shouldBe false
    }

    @Test
    fun `a window later all is forgotten`() {
        val calm = Calm()
        repeat(Calm.MOST + 5) { calm.allows(7) }
        calm.allows(7 + Calm.WINDOW_NANOS - 1) shouldBe false
        calm.allows(7 + Calm.WINDOW_NANOS) shouldBe true
    }
}
