package clientlab.notebook.claim

import clientlab.*
import clientlab.conduct.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.frame.*
import clientlab.notebook.output.*
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.json.putJsonObject

/** The verdict for programs, as the data part of a cell's output. */
public fun Verdict.data(): JsonObject = DataPart.of("verdict") { putStated(this@data, parts) }

/** Several verdicts for programs, as the data part of a cell's output. */
public fun Verdicts.data(): JsonObject = DataPart.of("verdicts") { putAll("verdicts", all) { putStated(it, it.parts) } }

/** The ledger as programs read it, each verdict with the one part that decides it. */
public fun Ledger.data(): JsonObject =
    DataPart.of("ledger") { putAll("verdicts", verdicts) { putStated(it, listOfNotNull(it.deciding)) } }

private fun JsonObjectBuilder.putStated(verdict: Verdict, parts: List<Part>) {
    put("claim", verdict.claim.id)
    put("outcome", verdict.outcome.toString())
    put("because", verdict.because)
    put("deciding", parts.indexOf(verdict.deciding))
    putAll("runs", verdict.runs) { run ->
        put("run", run)
        put("published", publishedAs(run))
    }
    putAll("parts", parts) { part ->
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

/** A list of objects, one for each of [all]. */
private fun <T> JsonObjectBuilder.putAll(name: String, all: List<T>, put: JsonObjectBuilder.(T) -> Unit) {
    putJsonArray(name) { all.forEach { addJsonObject { put(it) } } }
}

/**
 * The ledger for other programs, such as the site's: each claim with its parts, with numbers as numbers and as text, the story of each
 * situation of conduct, and what the catalogue knows of each client.
 */
public fun Ledger.json(): JsonObject =
    buildJsonObject {
        put("schemaVersion", 1)
        putAll("claims", verdicts) { put(it) }
        putJsonObject("situations") { Conduct.stories.forEach { (name, story) -> put(name, story) } }
        putAll("clients", clients()) { put(it) }
    }

private fun JsonObjectBuilder.put(client: ClientInfo) {
    val catalogue = CatalogueReader.catalogue
    put("id", client.id)
    put("title", client.title)
    put("library", client.library.substringAfter(':'))
    put("version", catalogue.versions[client.library].orEmpty())
    put("settings", client.settings)
    put("protocols", DataPart.texts(client.protocols.map { it.label }))
    putJsonObject("timeouts") { catalogue.timeouts[client.library]?.forEach { (kind, of) -> put(kind.name.lowercase(), "$of") } }
    put("recipe", catalogue.recipes[client.library])
}

private fun JsonObjectBuilder.put(verdict: Verdict) {
    val claim = verdict.claim
    put("id", claim.id)
    put("block", claim.block.name)
    put("blockWords", claim.block.toString())
    put("source", claim.source)
    put("words", claim.words)
    put("figure", claim.figure)
    put("verdict", verdict.outcome.toString())
    put("because", verdict.because)
    put("deciding", verdict.parts.indexOf(verdict.deciding))
    put("notebook", claim.notebook)
    put("basis", verdict.basis)
    put("registered", verdict.registered)
    put("days", verdict.days)
    put("evidence", DataPart.texts(claim.evidence))
    put("runs", DataPart.texts(verdict.runs))
    putAll("parts", verdict.parts) { put(it) }
    putAll("again", verdict.again) { other ->
        put("verdict", other.outcome.toString())
        put("evidence", DataPart.texts(other.evidence))
        putAll("parts", other.parts) { put(it) }
    }
}

private fun JsonObjectBuilder.put(part: Part) {
    put("of", part.of)
    put("metric", part.metric)
    put("bound", part.bound.toString())
    put("estimate", part.estimate.toString())
    // JSON has finite numbers only.
    put("value", part.estimate.value.takeIf { it.isFinite() })
    put("low", part.estimate.low.takeIf { it.isFinite() })
    put("high", part.estimate.high.takeIf { it.isFinite() })
    put("n", part.estimate.n)
    put("method", part.estimate.method)
    put("verdict", part.outcome.toString())
    put("because", part.because)
    put("floor", part.floor?.toString())
    put("floorFrom", part.floor?.from)
}
