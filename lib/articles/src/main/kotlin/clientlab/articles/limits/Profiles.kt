package clientlab.articles.limits

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.frame.*
import clientlab.notebook.journal.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame
import kotlin.io.path.exists

/**
 * The stacks that async-profiler saw in the [forks] of one treatment, warm-up and start of the JVM included. Their weights are samples of a
 * millisecond of processor time, or bytes allocated.
 */
public class Profile(public val run: String, public val treatment: Treatment, public val forks: List<List<Stack>>) {
    /** Whether the weights are bytes allocated; otherwise they are samples of processor time. */
    public val isOfBytes: Boolean get() = treatment[Factor.INSTRUMENT] == "allocation-profile"

    public val client: String get() = treatment.client ?: "no client"

    /** The share of each owner, in percent of the whole: the median over forks with its interval. */
    public fun shares(): Map<String, Estimate> {
        val ofForks = forks.map { stacks -> sharesOf(stacks) { Owners.of(it.frames) } }
        return Owners.inOrder(ofForks.flatMap { it.keys }.toSet()).associateWith { owner ->
            Bootstrap.median(ofForks.map { it[owner] ?: 0.0 })
        }
    }

    /** The share of each innermost frame, in percent of the whole, the largest first: the mean over forks, which have the same weight. */
    internal fun selfShares(): Map<Pair<String, String>, Double> {
        val ofForks = forks.map { stacks -> sharesOf(stacks) { Owners.of(it.frames) to it.frames.last() } }
        return ofForks
            .flatMap { it.keys }
            .distinct()
            .associateWith { frame -> ofForks.sumOf { it[frame] ?: 0.0 } / forks.size }
            .toList()
            .sortedByDescending { it.second }
            .toMap()
    }

    private fun <K> sharesOf(stacks: List<Stack>, key: (Stack) -> K): Map<K, Double> {
        val whole = stacks.sumOf { it.weight }.coerceAtLeast(1)
        return stacks.groupBy(key).mapValues { (_, group) -> 100.0 * group.sumOf { it.weight } / whole }
    }
}

/**
 * The profile of [client] among these trials: [instrument] is `cpu-profile` or `allocation-profile`.
 *
 * Invalid trials are left out. If the frame has several treatments of that client, the first one counts; filter for another one. Throws
 * [LabException] if no trial was profiled.
 */
public fun Trials<Burst>.profile(client: String, instrument: String = "cpu-profile"): Profile {
    val found = runs().map(RunFolder::withId).flatMap { folder ->
        folder
            .trials()
            .filter { it.treatment.client == client && it.treatment[Factor.INSTRUMENT] == instrument }
            .filter { !it.warmup && it.outcome != Outcome.Invalid }
            .map { it.treatment to ProfileFile.path(folder.path, it.round, it.treatment) }
            .filter { (_, file) -> file.exists() }
    }
    val treatment = found.firstOrNull()?.first ?: throw LabException("No $instrument of $client is in ${runs().joinToString()}.")
    return Profile(runs().first(), treatment, found.filter { it.first == treatment }.map { ProfileFile.read(it.second) })
}

/** The owners of the profile's weight, one row per owner: its share in percent, the median over forks with its interval, and n. */
public fun Profile.byLibrary(): AnyFrame =
    shares()
        .filter { it.value.value >= SMALLEST }
        .toList()
        .toDataFrame {
            "library" from { it.first }
            "percent" from { Estimate.rounded(it.second.value).toDouble() }
            "estimate" from { it.second.toString() }
            "n" from { it.second.n }
        }.from(origin())

/** The [n] innermost frames with the largest share, each with the library for which it ran. */
public fun Profile.topFrames(n: Int = 10): AnyFrame =
    selfShares()
        .entries
        .take(n)
        .toDataFrame {
            "frame" from { shortFrame(it.key.second) }
            "library" from { it.key.first }
            "percent" from { Estimate.rounded(it.value).toDouble() }
        }.from(origin())

private fun Profile.origin() =
    Origin("n = ${forks.size} ${if (forks.size == 1) "fork" else "forks"}, ${originOf(listOf(run))}", listOf(run))

/** One column per client, one row per owner: shares in percent, medians over forks, from the [instrument]'s profiles of [clients]. */
public fun Trials<Burst>.profileShares(vararg clients: String, instrument: String = "cpu-profile"): AnyFrame {
    val shares = clients.associateWith { profile(it, instrument).shares() }
    return Owners
        .inOrder(shares.values.flatMap { it.keys }.toSet())
        .toDataFrame {
            "library" from { it }
            shares.forEach { (client, of) -> client from { owner -> of[owner]?.let { Estimate.rounded(it.value) } ?: "0" } }
        }.from(this)
}

/** `RealCall.execute` for `okhttp3/internal/connection/RealCall.execute`, `byte[]` for `byte[]_[i]`; native names stay. */
internal fun shortFrame(frame: String): String = frame.replace(KIND, "").substringAfterLast('/')

private val KIND = Regex("_\\[[0-9a-z]]$")
private const val SMALLEST = 0.05
