package clientlab.notebook.claim

import clientlab.notebook.frame.*
import clientlab.notebook.output.*
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.add
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.json.putJsonObject

/** The verdict for programs, as the data part of a cell's output. */
public fun Verdict.data(): JsonObject = DataPart.of("verdict") { putStated(this@data, parts) }

/** Several verdicts for programs, as the data part of a cell's output. */
public fun Verdicts.data(): JsonObject =
    DataPart.of("verdicts") { putJsonArray("verdicts") { all.forEach { verdict -> addJsonObject { putStated(verdict, verdict.parts) } } } }

/** The same of the ledger, each verdict with the one part that decides it. */
public fun Ledger.data(): JsonObject =
    DataPart.of("ledger") {
        putJsonArray("verdicts") { verdicts.forEach { verdict -> addJsonObject { putStated(verdict, listOfNotNull(verdict.deciding)) } } }
    }

private fun JsonObjectBuilder.putStated(verdict: Verdict, parts: List<Part>) {
    put("claim", verdict.claim.id)
    put("outcome", verdict.outcome.toString())
    put("because", verdict.claim.untestable ?: verdict.deciding?.because.orEmpty())
    put("deciding", parts.indexOf(verdict.deciding))
    putJsonArray("runs") {
        verdict.runs.forEach { run ->
            addJsonObject {
                put("run", run)
                put("published", publishedAs(run))
            }
        }
    }
    putJsonArray("parts") {
        parts.forEach { part ->
            addJsonObject {
                put("of", part.of)
                put("metric", part.metric)
                put("bound", part.bound.toString())
                putJsonObject("estimate") {
                    put("value", DataPart.number(part.estimate.value))
                    put("low", DataPart.number(part.estimate.low))
                    put("high", DataPart.number(part.estimate.high))
                    put("n", part.estimate.n)
                    put("method", part.estimate.method)
                }
                put("outcome", part.outcome.toString())
            }
        }
    }
}

/** The ledger for other programs, such as the site's: each claim with its parts, with numbers as numbers and as text. */
public fun Ledger.json(): JsonObject =
    buildJsonObject {
        put("schemaVersion", 1)
        putJsonArray("claims") { verdicts.forEach { verdict -> addJsonObject { put(verdict) } } }
    }

private fun JsonObjectBuilder.put(verdict: Verdict) {
    val claim = verdict.claim
    put("id", claim.id)
    put("source", claim.source)
    put("words", claim.words)
    put("figure", claim.figure)
    put("verdict", verdict.outcome.toString())
    put("because", claim.untestable ?: verdict.deciding?.because.orEmpty())
    put("deciding", verdict.parts.indexOf(verdict.deciding))
    put("notebook", claim.notebook)
    put("basis", verdict.basis)
    putJsonArray("evidence") { claim.evidence.forEach { add(it) } }
    putJsonArray("runs") { verdict.runs.forEach { add(it) } }
    putJsonArray("parts") { verdict.parts.forEach { part -> addJsonObject { put(part) } } }
}

private fun JsonObjectBuilder.put(part: Part) {
    put("of", part.of)
    put("metric", part.metric)
    put("bound", part.bound.toString())
    put("estimate", part.estimate.toString())
    put("value", part.estimate.value.finite())
    put("low", part.estimate.low.finite())
    put("high", part.estimate.high.finite())
    put("n", part.estimate.n)
    put("method", part.estimate.method)
    put("verdict", part.outcome.toString())
    put("because", part.because)
    put("floor", part.floor?.toString())
    put("floorFrom", part.floor?.from)
}

/** JSON has finite numbers only. */
private fun Double.finite(): Double? = takeIf { it.isFinite() }
