package clientlab.client

import clientlab.*
import clientlab.testing.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class VersionOrderTest {
    @Test
    fun `versions stand to each other as their numbers do, and a beta comes before what it leads to`() {
        listOf("3.10.0", "3.9", "4.12.0", "3.0.0", "2.3.12", "3.0.0-beta-1", "2.3.7").sortedWith(VersionOrder) shouldContainExactly
            listOf("2.3.7", "2.3.12", "3.0.0-beta-1", "3.0.0", "3.9", "3.10.0", "4.12.0")
        VersionOrder.atLeast("3.0", "3.0.0") shouldBe true
        VersionOrder.atLeast("2.9.0", "2.10.0") shouldBe false
    }

    @Test
    fun `an id may name a version, and tells it apart from client and configuration`() {
        val told = listOf("ktor-cio", "ktor-cio:2.3.12", "ktor-cio@article", "ktor-cio@article:3.0.0-beta-1").map { id ->
            info(id).let { listOf(it.unversioned, it.configuration, it.version) }
        }
        told shouldContainExactly
            listOf(
                listOf("ktor-cio", "opened", null),
                listOf("ktor-cio", "opened", "2.3.12"),
                listOf("ktor-cio@article", "article", null),
                listOf("ktor-cio@article", "article", "3.0.0-beta-1"),
            )
        listOf("ktor-cio:", "ktor-cio:../up", "ktor-cio:2:3", "ktor-cio:newest", ":2.3.12").forEach { id ->
            withClue(id) { shouldThrow<LabException> { info(id) } }
        }
    }

    @Test
    fun `a library that was renamed has its former name before, and reads JSON from where its adapter does`() {
        val needs = LibraryNeeds(from = "2.0", json = listOf("a:json"), jsonFrom = "3.0", former = "a:old", renamedIn = "5.0")
        needs.artifacts("a:new", "2.1") shouldBe listOf("a:old")
        needs.artifacts("a:new", "4.12.0") shouldBe listOf("a:old", "a:json")
        needs.artifacts("a:new", "5.0.0") shouldBe listOf("a:new", "a:json")
    }
}
