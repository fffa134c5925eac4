package clientlab.notebook.reproduction

import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.home.*
import clientlab.notebook.jars.*
import clientlab.notebook.journal.*
import clientlab.notebook.output.*
import clientlab.notebook.run.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.concat
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn
import kotlin.io.path.name

/** One part of a claim, as an earlier run and a later run measured it. */
public data class Again(val claim: String, val earlier: Part, val later: Part, val agreement: Agreement)

/**
 * A run compared with a second run of the same experiment: [rows] has every part of every claim that rests on the earlier run, and
 * [differences] what differs between the two machines or libraries.
 */
public class Reproduction internal constructor(
    public val earlier: String,
    public val later: String,
    public val rows: List<Again>,
    public val differences: List<String>,
) {
    /** Whether no measured value differs. An undecided comparison counts as no difference. */
    public val holds: Boolean get() = rows.none { it.agreement == Agreement.Differs }

    /** A row for each part of each claim: both estimates, whether they agree, and both verdicts. */
    public fun frame(): AnyFrame = dataFrameOf(
        rows.map { it.claim }.toColumn("claim"),
        rows.map { it.earlier.of }.toColumn("of"),
        rows.map { it.earlier.metric }.toColumn("measured"),
        rows.map { it.earlier.estimate.toString() }.toColumn("earlier"),
        rows.map { it.later.estimate.toString() }.toColumn("later"),
        rows.map { it.agreement.toString() }.toColumn("agreement"),
        rows.map { it.earlier.outcome.toString() }.toColumn("verdict"),
        rows.map { it.later.outcome.toString() }.toColumn("verdictNow"),
    )

    override fun toString(): String {
        val cells = rows.map { (claim, was, now, agreement) ->
            listOf(claim, was.of, was.estimate, now.estimate, agreement, was.outcome, now.outcome).map { "$it" }
        }
        val table = FrameOutput.plain(listOf("claim", "of", "earlier", "later", "agreement", "verdict", "now"), cells, emptySet(), null)
        val counts = Agreement.entries.joinToString { agreement -> "${rows.count { it.agreement == agreement }} $agreement" }
        val body = if (rows.isEmpty()) "No claim rests on the run $earlier." else "$table\n\n${rows.size} parts of claims: $counts."
        return (differences + "Run $earlier, and now run $later:" + body).joinToString("\n")
    }
}

/**
 * Runs the experiment of [run], a run's id or the name of published data, again on this machine and compares the results. Throws
 * [LabException] if the run is not there, or if it has a client from a notebook that is not kept with it.
 */
public fun reproduce(run: String, listener: ProgressListener): Reproduction {
    val folder = RunFolder.named(run)
    val experiment = folder.manifest.experiment
    val known = CatalogueReader.catalogue.clients.map { it.id } + folder.manifest.serializedClients.keys
    val gone = experiment.workload.clients.firstOrNull { client ->
        listOf(client.id, client.unversioned, client.unversioned.substringBefore('@')).none { it in known }
    }
    gone?.let {
        throw LabException(
            "The run $run has the client '${it.id}', which was written in a notebook and is not kept with the run: run that notebook again.",
        )
    }
    experiment.copy(workload = experiment.workload.asSetNow()).runAgain(folder, listener)
    return Reproductions.compare(folder, RunFolder.all(experiment.name).first())
}

/** Compares two runs of one experiment, claim by claim. */
public object Reproductions {
    /** Compares the estimates of [claims] in [later] with those in [earlier], part by part. */
    public fun compare(
        earlier: RunFolder,
        later: RunFolder,
        claims: List<Claim> = Claims.all,
        equivalence: Equivalence = Equivalence(),
    ): Reproduction {
        val before = earlier.frame()
        val now = later.frame()
        val rows = claims.filter { it.untestable == null }.flatMap { claim ->
            val name = claim.evidence.firstOrNull { restsOn(it, earlier) } ?: return@flatMap emptyList()
            val was = claim.parts(replaced(claim.evidence, name, before)).filter { it.estimate.n > 0 }
            val again = claim.parts(replaced(claim.evidence, name, now)).associateBy { it.of to it.metric }
            was.map { part ->
                val later = again[part.of to part.metric] ?: part.copy(estimate = NOTHING)
                Again(claim.id, part, later, equivalence.of(part.estimate, later.estimate))
            }
        }
        return Reproduction(earlier.run, later.run, rows, differences(earlier.manifest, later.manifest))
    }

    /** Whether the published data [name] are [run]; if the reader made [run], whether they are of the same experiment. */
    private fun restsOn(name: String, run: RunFolder): Boolean =
        if (run.path.parent in LabHome.allPublished) name == run.path.name else LABEL.replace(name, "") == run.manifest.experiment.name

    /** What a reader needs to know before comparing: machine, Java, libraries, options, settings of clients. */
    internal fun differences(earlier: Manifest, later: Manifest): List<String> {
        val was = earlier.machine
        val now = later.machine
        val facts = listOf(
            Triple("The processor", was.cpu, now.cpu),
            Triple("The number of processors", "${was.cores}", "${now.cores}"),
            Triple("The system", was.os, now.os),
            Triple("Java", was.java, now.java),
            Triple("The delay server", Differences.server(earlier), Differences.server(later)),
            Triple("The options of the trials' JVMs", earlier.jvmArgs.joinToString(" "), later.jvmArgs.joinToString(" ")),
        )
        val versions = (earlier.versions.keys + later.versions.keys).sorted().map { Triple(it, earlier.versions[it], later.versions[it]) }
        val libraries = (earlier.libraries.keys + later.libraries.keys).sorted().map { client ->
            Triple("What $client consists of", artifacts(earlier, client), artifacts(later, client))
        }
        val set = later.settings()
        val settings = earlier.settings().filterKeys { it in set }.map { (client, it) -> Triple("What is set on $client", it, set[client]) }
        val different = (facts + versions + libraries + settings).filter { it.second != it.third }
        return different.map { (what, before, after) -> "$what was ${before ?: "not there"} and is ${after ?: "not there"}." }
    }

    private fun Manifest.settings() = experiment.workload.clients.associate { it.id to it.settings }

    private fun artifacts(manifest: Manifest, client: String) = manifest.libraries[client]
        ?.map { "${it.substringAfter(':')} (${manifest.jars[JarStore.fileName(it)]?.take(SHORT)})" }
        ?.sorted()
        ?.joinToString()

    private fun replaced(names: List<String>, name: String, now: Trials<*>): Trials<*> {
        val others = names - name
        return if (others.isEmpty()) now else listOf(now, evidence(others)).concat().cast()
    }

    /** So many characters are enough to compare two hashes. */
    private const val SHORT = 8

    /** The label behind an experiment's name, as in `threads-2026-11`. */
    private val LABEL = Regex("-\\d{4}-\\d{2}[a-z]?$")
    private val NOTHING = Estimate.none("no trial here can tell")
}
