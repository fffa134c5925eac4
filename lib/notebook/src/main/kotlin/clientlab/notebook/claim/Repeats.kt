package clientlab.notebook.claim

import clientlab.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.workloads.*
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.encodeToJsonElement
import kotlinx.serialization.json.jsonObject
import java.nio.file.Path
import java.time.Instant
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.exists
import kotlin.io.path.name

/**
 * Published runs that measure the same again. Forks of one run share its hour, so their interval says nothing of another day: a verdict
 * counts if the run of another day gives it too. A repeat has a seed of its own, because with the same one its trials follow each other in
 * the same order. Every repeat counts, so that nobody can choose among them.
 */
internal object Repeats {
    /** The names of the runs that repeat the one published as [name], the earliest first. Each began on a later day, none is superseded. */
    fun of(name: String): List<String> {
        val first = LabHome.published(name)?.let(::asked) ?: return emptyList()
        val superseded = SupersededRun.all().map { it.run }.toSet()
        return LabHome.allPublished
            .flatMap { it.entries("${first.question.name}-*") }
            .filter { it.name !in superseded }
            .mapNotNull { other -> asked(other)?.let { other.name to it } }
            .filter { (_, other) -> other.question == first.question && other.day > first.day && other.seed != first.seed }
            .sortedBy { (_, other) -> other.startedAt }
            .map { it.first }
    }

    /** Whether a repeat of the run published as [name] would count if it began now: on a later day, in UTC. */
    fun wouldCount(name: String): Boolean =
        LabHome.published(name)?.let(::asked)?.let { Instant.now().toString().substringBefore('T') > it.day } ?: false

    private fun asked(folder: Path): Asked? = known.getOrPut(folder) {
        if (!folder.resolve(Manifest.FILE).exists()) return null
        val manifest = RunFolder(folder).manifest
        Asked(Question.of(manifest.experiment), manifest.experiment.seed, manifest.startedAt)
    }

    private class Asked(val question: Question, val seed: Long, val startedAt: String) {
        val day = startedAt.substringBefore('T')
    }

    /** What a run asks: its name, its treatments, and its workload without the words that describe the clients, which may be mended. */
    private data class Question(
        val name: String,
        val treatments: Set<Treatment>,
        val workload: Map<String, JsonElement>,
        val duet: Boolean,
    ) {
        companion object {
            fun of(experiment: Experiment<Workload>): Question {
                val workload = ExperimentJson.encodeToJsonElement(experiment).jsonObject.getValue("workload").jsonObject
                return Question(experiment.name, experiment.treatments.toSet(), workload - "clients" - "seed", experiment.duet)
            }
        }
    }

    private val known = ConcurrentHashMap<Path, Asked>()
}
