package clientlab.clients

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test

class TestedClientsTest {
    @Test
    fun `one client is tested in all its configurations and on virtual threads too`() {
        val helidon = listOf("helidon", "helidon-virtual", "helidon@default")
        TestedClients.chosen("helidon").map { it.id } shouldContainExactly helidon
        TestedClients.chosen("helidon-virtual").map { it.id } shouldContainExactly helidon
        TestedClients.chosen(null) shouldBe Catalogue().entries.map { it.info }
    }

    @Test
    fun `a client that the catalogue does not list is refused with what to do`() {
        shouldThrow<IllegalStateException> { TestedClients.chosen("helidom") }.message shouldBe
            "Catalogue.kt lists no client 'helidom': add its listing there, or give an id that catalogue() shows."
    }

    @Test
    fun `a failure names its client, and says first that the machine is busy where it is`() {
        val failure = shouldThrow<AssertionError> { named("helidon") { throw AssertionError("expected:<100> but was:<77>") } }
        failure.message shouldStartWith "helidon: "
        failure.message shouldContain "expected:<100> but was:<77>"
        busyMachine(11.24, 2) shouldStartWith "The machine is busy: its load is 11.2 on 2 processors"
        busyMachine(2.0, 2) shouldBe ""
        // What Windows says of its load.
        busyMachine(-1.0, 2) shouldBe ""
    }
}
