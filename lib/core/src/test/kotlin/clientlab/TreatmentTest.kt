package clientlab

import clientlab.testing.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test

class TreatmentTest {
    private val treatment = Treatment(
        "client" to "ktor-cio",
        "protocol" to "http/1.1",
        "inFlight" to 500,
        "delayMs" to 2000L,
        "start" to "warm",
    )

    @Test
    fun `an unknown factor is refused with the known ones`() {
        shouldThrow<LabException> { Treatment("client" to "a", "colour" to "red") }.message shouldStartWith
            "Unknown factor colour; a treatment knows client, version, protocol, server"
    }

    @Test
    fun `treatments with the same levels are equal and have one key, whatever the order`() {
        val turned = Treatment(treatment.levels.entries.reversed().associate { it.toPair() })
        turned shouldBe treatment
        turned.hashCode() shouldBe treatment.hashCode()
        turned.key shouldBe treatment.key
        turned.toString() shouldBe treatment.toString()
    }

    @Test
    fun `treatments that differ in one level have different keys`() {
        val other = Treatment("client" to "ktor-cio", "protocol" to "http/1.1", "inFlight" to 100, "delayMs" to 2000, "start" to "warm")
        other shouldNotBe treatment
        other.key shouldNotBe treatment.key
    }

    @Test
    fun `key and words are the same under every locale`() {
        underLocales {
            treatment.key shouldBe "client=ktor-cio;protocol=http/1.1;inFlight=500;delayMs=2000;start=warm"
            treatment.toString() shouldBe "ktor-cio, http/1.1, 500 in flight, 2000 ms, warm"
        }
    }

    @Test
    fun `levels are read as texts and as whole numbers, and a level that is none is refused`() {
        treatment["inFlight"] shouldBe "500"
        treatment["payload"] shouldBe null
        treatment.number(Factor.IN_FLIGHT) shouldBe 500L
        shouldThrow<LabException> { treatment.number(Factor.PROTOCOL) }.message shouldBe
            "The treatment $treatment has no whole number for protocol."
        shouldThrow<LabException> { treatment.number("payload") }
    }

    @Test
    fun `a treatment is read back from its JSON as it was, and refused where a factor is unknown`() {
        LabJson.decodeFromString<Treatment>(LabJson.encodeToString(treatment)) shouldBe treatment
        shouldThrow<LabException> { LabJson.decodeFromString<Treatment>("""{"colour":"red"}""") }
    }
}
