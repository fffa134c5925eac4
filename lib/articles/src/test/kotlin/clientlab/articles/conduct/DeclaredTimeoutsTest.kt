package clientlab.articles.conduct

import clientlab.conduct.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.frame.*
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory

/** What adapters declare about time-outs, against what the published run saw of their clients. */
class DeclaredTimeoutsTest {
    private val facts = published<Conduct>("conduct-2026-11").conducted().associate { (it.client to it.situation) to it.fact }

    @TestFactory
    fun `a client ends where its adapter declares a time-out, and waits on where it declares none`(): List<DynamicTest> =
        timeouts().rows().flatMap { row -> row["clients"].toString().split(", ").map { it to row } }.map { (client, row) ->
            dynamicTest(client) {
                fun offers(vararg kinds: String) = kinds.any { row[it].toString().isNotEmpty() }

                fun ends(situation: String, waits: String) = withClue(situation) { !facts.getValue(client to situation).startsWith(waits) }
                ends("timeouts.connecting", waits = "waits on") shouldBe offers("connect", "call")
                ends("timeouts.no-answer", waits = "waits on") shouldBe offers("answer", "read", "call")
                ends("timeouts.trickle", waits = "reads to the end") shouldBe offers("call")
            }
        }
}
