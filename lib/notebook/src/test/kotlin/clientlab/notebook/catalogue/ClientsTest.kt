package clientlab.notebook.catalogue

import clientlab.*
import clientlab.notebook.home.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ClientsTest {
    @Test
    fun `clients come in the order in which they are named`() {
        clients("ktor-cio", "retrofit@default").map { it.id } shouldContainExactly listOf("ktor-cio", "retrofit@default")
    }

    @Test
    fun `where none is named there are all that have every limit opened`() {
        clients().map { it.id } shouldContainAll listOf("retrofit", "retrofit-virtual", "ktor-cio", "fuel", "jdk")
        clients().filter { "@" in it.id || it.limit != null }.shouldBeEmpty()
    }

    @Test
    fun `a name that there is not is refused with the one that was meant, where that can be told`() {
        shouldThrow<LabException> { clients("ktor-coi") }.message shouldBe
            "No client 'ktor-coi': did you mean 'ktor-cio'? catalogue() lists all there are."
        shouldThrow<LabException> { clients("unheard of") }.message shouldBe
            "No client 'unheard of': give one such as 'retrofit' or 'ktor-cio'; catalogue() lists all there are."
    }

    @Test
    fun `what was meant is the nearest by letters, and nothing where none is near`() {
        didYouMean("threads.routecap", listOf("threads.blocking", "threads.route-cap")) shouldBe "did you mean 'threads.route-cap'? "
        didYouMean("unheard of", listOf("threads"), otherwise = "one of threads; ") shouldBe "one of threads; "
        didYouMean("any", emptyList()) shouldBe ""
    }
}
