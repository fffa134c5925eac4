package clientlab.audit

import clientlab.*
import clientlab.testing.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class AuditTest {
    private val audit = Audit(listOf(info("mine")), patience = 20.seconds)

    @Test
    fun `the loads rise to the one that is asked for`() {
        audit.loads shouldContainExactly listOf(10, 30, 100, 300, 1_000, 2_000)
        audit.copy(upTo = 300).loads shouldContainExactly listOf(10, 30, 100, 300)
    }

    @Test
    fun `time-outs are waited for where one host is asked, and no longer with more`() {
        audit.treatments.associate { it.number(Factor.HOSTS) to audit.patienceOf(it) } shouldBe
            mapOf(1L to 20.seconds, 20L to Duration.ZERO)
    }

    @Test
    fun `a smoke run rises to two hundred and waits for nothing`() {
        val small = audit.smoke()
        small.upTo shouldBe 200
        small.treatments.sumOf { small.patienceOf(it).inWholeSeconds } shouldBe 0
    }

    @Test
    fun `what cannot be asked is refused with what can`() {
        shouldThrow<LabException> { audit.copy(clients = emptyList()) }.message shouldContain "needs a client"
        shouldThrow<LabException> { audit.copy(upTo = 5) }.message shouldContain "rises to 10 at least"
        shouldThrow<LabException> { audit.copy(hosts = listOf(0)) }.message shouldContain "1 to 254 are"
        shouldThrow<LabException> { audit.copy(hosts = listOf(1, 1)) }.message shouldContain "more than once"
        shouldThrow<LabException> { audit.copy(patience = 2.minutes) }.message shouldContain "at most 50s"
    }
}
