package clientlab.notebook.claim

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.home.*
import clientlab.notebook.output.*
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.contentOrNull
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText

/** A verdict that a committed article states: [given] in its words, and [computed] from its data now, null if the data are not here. */
public data class StatedVerdict(val notebook: String, val claim: String, val given: String, val computed: String?) {
    /** Whether the article's verdict is the one that its data give. */
    val agrees: Boolean get() = given == computed

    override fun toString(): String =
        when (computed) {
            null -> "$notebook says that $claim is $given, from a run that is not published."
            given -> "$notebook says that $claim is $given, and so do its data."
            else -> "$notebook says that $claim is $given, and its data give $computed."
        }
}

/** The verdicts that the outputs of an article state in their data parts, each computed again from the runs it names. */
public object StatedVerdicts {
    /** Those of all notebooks in [folder] that are based on published runs or on a source's figures, and not on the reader's own runs. */
    public fun of(folder: Path = LabHome.root.resolve("notebooks")): List<StatedVerdict> =
        folder.listDirectoryEntries("*.ipynb").sorted().flatMap(::inNotebook)

    private fun inNotebook(file: Path): List<StatedVerdict> =
        parts(file).flatMap(::verdicts).mapNotNull { stated ->
            val runs = stated.getValue("runs").jsonArray.map { it.jsonObject }
            val published = runs.map { it["published"]?.jsonPrimitive?.contentOrNull }
            if (runs.isNotEmpty() && published.all { it == null }) return@mapNotNull null
            val claim = stated.text("claim")
            StatedVerdict(file.nameWithoutExtension, claim, stated.text("outcome"), compute(claim, published))
        }

    /** A part of a single verdict is one; one of several, or of the ledger, lists them. */
    private fun verdicts(part: JsonObject): List<JsonObject> =
        when (part.text("kind")) {
            "verdict" -> listOf(part)
            "verdicts", "ledger" -> part.getValue("verdicts").jsonArray.map { it.jsonObject }
            else -> emptyList()
        }

    private fun compute(id: String, published: List<String?>): String? {
        val claim = Claims.all.firstOrNull { it.id == id } ?: return null
        if (published.isEmpty()) return claim.heldAgainst(null).outcome.toString()
        val names = published.map { name -> name?.takeIf { LabHome.published(it) != null } ?: return null }
        // A verdict on all of its evidence is held against the runs of other days too.
        return claim.heldAgainst(if (names.toSet() == claim.evidence.toSet()) null else evidence(names)).outcome.toString()
    }

    /** The data parts of the outputs of code cells. */
    private fun parts(file: Path): List<JsonObject> {
        val notebook = LabJson.parseToJsonElement(file.readText()).jsonObject
        val cells = (notebook["cells"] as? JsonArray).orEmpty()
        val outputs = cells.flatMap { (it.jsonObject["outputs"] as? JsonArray).orEmpty() }
        return outputs.mapNotNull { output -> (output.jsonObject["data"] as? JsonObject)?.get(DataPart.MIME) as? JsonObject }
    }

    private fun JsonObject.text(name: String): String = getValue(name).jsonPrimitive.content
}
