package clientlab.notebook.claim

import clientlab.LabJson
import clientlab.notebook.frame.evidence
import clientlab.notebook.frame.runs
import clientlab.notebook.home.LabHome
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText

/**
 * A verdict as a committed article states it.
 *
 * @property given the outcome in the article's words; [computed] what its data give now, or null where they cannot be found here.
 */
public data class StatedVerdict(
    val notebook: String,
    val claim: String,
    val given: String,
    val computed: String?,
) {
    /** Whether the article says what its data give. */
    val agrees: Boolean get() = given == computed

    override fun toString(): String =
        when (computed) {
            null -> "$notebook says that $claim is $given, from a run that is not published."
            given -> "$notebook says that $claim is $given, and so do its data."
            else -> "$notebook says that $claim is $given, and its data give $computed."
        }
}

/** The verdicts that the outputs of an article state, each computed again from the runs it names. */
public object StatedVerdicts {
    private val LINE = Regex("([a-z]+\\.[a-z0-9-]+): (supported|inconclusive|refuted|not testable here)\\. .*; ([^;]*)\\)")
    private val RUN = Regex("\\d{8}-\\d{6}-[0-9a-f]{4}")

    /** Those of all notebooks in [folder] that rest on published runs or on a source's figures; verdicts on the reader's own runs are left out. */
    public fun of(folder: Path = LabHome.root.resolve("notebooks")): List<StatedVerdict> =
        folder.listDirectoryEntries("*.ipynb").sorted().flatMap(::inNotebook)

    private fun inNotebook(file: Path): List<StatedVerdict> {
        val folders = publishedRuns()
        return texts(file).flatMap { text -> text.lines().mapNotNull { LINE.matchEntire(it.trim()) } }.mapNotNull { found ->
            val (id, given, basis) = found.destructured
            val named = RUN
                .findAll(basis)
                .map { it.value }
                .distinct()
                .toList()
            if (named.isNotEmpty() && named.none { it in folders }) return@mapNotNull null
            StatedVerdict(file.nameWithoutExtension, id, given, compute(id, named, folders))
        }
    }

    private fun compute(id: String, runs: List<String>, folders: Map<String, String>): String? {
        val claim = Claims.all.firstOrNull { it.id == id } ?: return null
        if (runs.isEmpty()) return claim.heldAgainst(null).outcome.toString()
        val names = runs.map { folders[it] ?: return null }
        return claim.heldAgainst(evidence(names)).outcome.toString()
    }

    /** The folders of published data by the run in them. */
    private fun publishedRuns(): Map<String, String> {
        val folders = LabHome.published
            .takeIf { it.exists() }
            ?.listDirectoryEntries()
            .orEmpty()
            .filter { it.isDirectory() }
        return folders.associate { evidence(listOf(it.name)).runs().firstOrNull().orEmpty() to it.name }
    }

    /** What the outputs of code cells say as plain text. */
    private fun texts(file: Path): List<String> {
        val cells = LabJson
            .parseToJsonElement(file.readText())
            .jsonObject["cells"]
            ?.jsonArray
            .orEmpty()
        val outputs = cells.flatMap { (it.jsonObject["outputs"] as? JsonArray).orEmpty() }
        return outputs.mapNotNull { output -> (output.jsonObject["data"] as? JsonObject)?.get("text/plain")?.let(::joined) }
    }

    private fun joined(text: JsonElement): String =
        if (text is JsonArray) text.joinToString("") { it.jsonPrimitive.content } else text.jsonPrimitive.content
}
