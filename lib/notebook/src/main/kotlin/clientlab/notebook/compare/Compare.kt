package clientlab.notebook.compare

import clientlab.*
import clientlab.client.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.frame.*
import clientlab.notebook.jars.*
import clientlab.notebook.run.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.rows
import kotlin.io.path.Path

/**
 * Whether a [candidate] is as good as its [base]: threads, memory, steady cost, capacity and conduct, both measured in the same rounds.
 *
 * ```
 * compare("okhttp:5.4.0", "okhttp:5.5.1")
 * compare("okhttp", "build/libs/okhttp-jvm.jar", only = listOf("threads", "cost"))
 * ```
 *
 * A release that is not in the lock is resolved and kept. A candidate that ends with `.jar` is the base with that jar in the place of the one
 * whose name it begins with. All of the suite takes about an hour and three quarters; threads and conduct take ten minutes, and cost a
 * quarter of an hour. A part takes twice as long if its first run leaves a measure open: an end of the margin lies within the interval.
 *
 * @param only the parts of the suite: `threads`, `memory`, `cost`, `capacity`, `conduct`; all if none is named.
 * @param forks fresh JVMs of each client, five at least for a decision; conduct has three, as its facts need no interval. Cost scatters most:
 *   the ratio of two equal clients by 7 % from round to round.
 * @param margin how much equals may differ, in percent.
 */
public fun compare(base: String, candidate: String, only: List<String> = emptyList(), forks: Int = 12, margin: Int = 10): Comparison =
    compare(base, candidate, only, forks, margin, ProgressDisplay.current())

/** The same of two clients of your own, without `memory`: a client from a cell cannot be carried into a JVM under limits. */
public fun compare(
    base: CellClient,
    candidate: CellClient,
    only: List<String> = emptyList(),
    forks: Int = 12,
    margin: Int = 10,
): Comparison =
    Comparing(base.info, candidate.info, listOf(base, candidate), ProgressDisplay.current()).compare(only, forks, margin)

internal fun compare(
    base: String,
    candidate: String,
    only: List<String>,
    forks: Int,
    margin: Int,
    listener: ProgressListener,
): Comparison {
    val (was, now) = released(base) to if (candidate.endsWith(JAR)) withJar(base, candidate) else released(candidate)
    return Comparing(was, now, emptyList(), listener).compare(only, forks, margin)
}

/** The client [id], in a release that is fetched where it is not here. */
private fun released(id: String): ClientInfo {
    val plain = clients(ClientInfo.unversioned(id)).single()
    ClientInfo.versionOf(id)?.let { KeptVersions.keep(plain.library, it) }
    return clients(id).single()
}

/** The client [id] with the file [jar] in the place of one of its jars. */
private fun withJar(id: String, jar: String): ClientInfo {
    val client = clients(ClientInfo.unversioned(id)).single()
    val release = ClientInfo.versionOf(id) ?: CatalogueReader.catalogue.versions.getValue(client.library)
    return clients("${client.id}:${KeptVersions.withJar(client.library, release, Path(jar))}").single()
}

private const val JAR = ".jar"

/** Runs the suite for two clients. */
private class Comparing(
    private val base: ClientInfo,
    private val candidate: ClientInfo,
    private val own: List<OwnClient>,
    private val listener: ProgressListener,
) {
    private val runs = mutableListOf<String>()
    private val lost = mutableListOf<String>()

    fun compare(only: List<String>, forks: Int, margin: Int): Comparison {
        refuseUnless(base.id != candidate.id) { "Both are ${base.id}: give two clients, two releases, or a jar that differs." }
        refuseUnless(margin in 1..MOST_MARGIN) { "A margin of $margin % tells nothing: give 1 to $MOST_MARGIN." }
        val factor = 1 + margin / PERCENT
        val suite = Suite.of(only).let { if (own.isEmpty()) it else it - Suite.Memory }
        refuseUnless(suite.isNotEmpty()) {
            "Memory is compared in a JVM under limits, and a client from a cell cannot be carried into one: ask for another part."
        }
        val measured = (suite - Suite.Conduct).flatMap { measured(it, forks, factor) }
        val conduct = if (Suite.Conduct in
            suite
        ) {
            run(Suite.Conduct, CONDUCT_FORKS).let { OtherConduct.of(it.seen(base), it.seen(candidate)) }
        } else {
            null
        }
        return Comparison(base.id, candidate.id, measured, conduct, factor, runs, lost)
    }

    /** [part] of the suite: with [forks] of each client, and with as many more if that leaves a measure open. */
    private fun measured(part: Suite, forks: Int, factor: Double): List<Compared> {
        val made = mutableListOf<Trials<*>>()
        return Compared.untilClear { runs ->
            while (made.size < runs) made += run(part, forks, seed = FIRST_SEED + made.size)
            part.measures.map { Compared.of(it, made.byRound(base, it, forks), made.byRound(candidate, it, forks), factor) }
        }
    }

    private fun run(part: Suite, forks: Int, seed: Long = FIRST_SEED): Trials<*> {
        val workload = part.workload(listOf(base, candidate))
        // What other work has disturbed is measured again, where the workload does not tell that itself.
        val repeats = if (workload.spoilt == null) REPEATS else 0
        return Experiment(
            "compare-${part.label}",
            workload,
            forks = forks,
            seed = seed,
            own = own,
            repeats = repeats,
            duet = part.duet,
        ).run(listener).also {
            runs += it.runs()
            lost += it.lost(part)
        }
    }

    private fun Trials<*>.lost(part: Suite): List<String> =
        byTreatment().filter { it.counted.isEmpty() }.map {
            "No trial of ${it.client} counts for ${part.label}: ${it.rows.first()["reasons"]}"
        }

    private fun Trials<*>.of(client: ClientInfo) = byTreatment().filter { it.client == client.id }.flatMap { it.counted }

    /** The values of one run after another, each of [forks] rounds. */
    private fun List<Trials<*>>.byRound(client: ClientInfo, measure: Measure, forks: Int): Map<Int, Double> =
        flatMapIndexed { run, trials ->
            trials.of(client).mapNotNull { row -> row.metric(measure.metric)?.let { run * forks + row.round to it } }
        }.toMap()

    private fun Trials<*>.seen(client: ClientInfo): Map<String, List<Pair<String, String>>> =
        of(client)
            .flatMap { (it["observations"] as AnyFrame).rows() }
            .groupBy({ "${it["situation"]}" }) { "${it["fact"]}" to "${it["concern"]}" }

    private companion object {
        private const val CONDUCT_FORKS = 3
        private const val FIRST_SEED = 42L
        private const val REPEATS = 2
        private const val MOST_MARGIN = 100
        private const val PERCENT = 100.0
    }
}
