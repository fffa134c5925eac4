package clientlab.notebook.command

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.output.*
import kotlin.io.path.Path
import kotlin.io.path.writeText
import kotlin.system.exitProcess

/**
 * The main of `./lab ledger`: prints every claim's verdict, and writes them as JSON to a file if one is named. Fails if an article states
 * another verdict than its data give.
 */
public fun main(arguments: Array<String>): Unit = orRefuse {
    val ledger = ledger()
    arguments.firstOrNull()?.let { Path(it).writeText("${ledger.json()}\n") }
    val rows = ledger.verdicts.map { verdict ->
        val decided = verdict.deciding?.let { listOf("${it.of}: ${it.estimate}", "${it.estimate.n}") } ?: listOf("", "")
        listOf(verdict.claim.id, verdict.outcome.toString()) + decided + verdict.claim.notebook
    }
    println(FrameOutput.plain(listOf("claim", "verdict", "decided by", "n", "notebook"), rows, right = setOf(3), more = null))
    val counts = VerdictOutcome.entries.joinToString { outcome -> "${ledger.verdicts.count { it.outcome == outcome }} $outcome" }
    println("\n${ledger.verdicts.size} claims: $counts.")
    val stated = StatedVerdicts.of()
    if (stated.isEmpty()) throw LabException("No article states a verdict, so none was checked: are the outputs of the notebooks there?")
    val wrong = stated.filterNot { it.agrees }
    wrong.forEach { println(it) }
    if (wrong.isNotEmpty()) exitProcess(1)
    println("${stated.size} verdicts stated in ${stated.map { it.notebook }.distinct().size} articles, each as its data give it.")
}
