package clientlab

import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient

/**
 * A question: a workload, how many forks answer it, and the seed of every random choice.
 *
 * What varies belongs to the workload. A run of an experiment holds `forks` rounds; each round holds every treatment once, in an order
 * drawn from the seed, and every trial has a fork (a fresh JVM) of its own, so that n = forks. With a [precision], `forks` is the fewest
 * rounds and `maxForks` the most: a run adds rounds until it reaches the precision.
 *
 * @param W its workload, as in `Experiment<Burst>`: what its trials can be asked for.
 * @property name the folder of its runs and the first word of its claims: lower-case letters, digits and dashes.
 * @property precision how narrow intervals must be before a run ends, as in `2.percent`; null for exactly `forks` rounds.
 * @property maxForks the budget of a precision in rounds, at least 10; null for 40, or for `forks` if that is larger.
 * @property own the reader's own clients. The workload holds their settings; the run serializes their code into the forks.
 * @property shard the part of the rounds that runs here, where the experiment runs on several machines; null for all rounds.
 * @property java the Java runtimes of the forks, as [Jdk]s that were found here: a factor where there are two or more; empty for the
 *   default runtime.
 * @property aliases names under which every treatment is measured, each in its own forks; empty for none. See [aa].
 * @property twice how many of the treatments each round measures a second time, with the alias [AGAIN]: what differs between a treatment
 *   and itself is the noise of this run, at its hour and its level. Figures, tables and claims leave the second time out.
 * @property repeats how often a trial is measured again, at most, if other work on the machine disturbed it. The readings of the machine
 *   alone decide that, never what the trial measured. What is measured again is kept in `repeated.jsonl`, and counts nowhere.
 * @property duet whether both treatments of a round are measured at the same time, each against a delay server of its own. A pace of the
 *   machine that comes and goes within a minute then meets both, so their ratio scatters less: duet benchmarking (L. Bulej et al., ICPE
 *   2020). It needs exactly two treatments and a load that is [paced][Workload.paced]. Each also slows the other a little, so take the
 *   ratio from such a run, and what one client costs from another run.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
public data class Experiment<out W : Workload>(
    val name: String,
    val workload: W,
    val forks: Int = 5,
    val seed: Long = 42,
    val precision: Precision? = null,
    val maxForks: Int? = null,
    @Transient val own: List<OwnClient> = emptyList(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val aliases: List<String> = emptyList(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val shard: Shard? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val java: List<Jdk> = emptyList(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val twice: Int = 0,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val repeats: Int = 0,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val duet: Boolean = false,
) {
    init {
        refuseUnless(
            NAME.matches(name),
        ) { "'$name' cannot name a folder: use lower-case letters, digits and dashes, as in \"my-threads\"." }
        refuseUnless(forks in 1..MOST_FORKS) { "forks is $forks; an experiment has 1 to $MOST_FORKS." }
        refuseUnless(aliases.size != 1 && aliases.distinct() == aliases && aliases.none(String::isBlank)) {
            "The aliases $aliases cannot be told apart: give none, or two names that differ, as aa() does."
        }
        refuseUnless(shard == null || precision == null) {
            "A precision is looked at over all rounds, and a shard has some of them: ask for a number of forks."
        }
        refuseUnless(shard == null || shard.of <= forks) {
            "${shard?.of} shards share $forks rounds: ask for no more shards than there are forks."
        }
        val repeated = java.groupBy { it }.values.firstOrNull { it.size > 1 }
        refuseUnless(repeated == null) { "Java ${repeated?.first()} stands in the experiment more than once." }
        refuseUnless(twice == 0 || aliases.isEmpty()) { "All treatments have two names already: leave out twice = $twice, or the aliases." }
        refuseUnless(twice in 0..once.size) {
            "twice is $twice, and the experiment has ${once.size} treatments: ask for 0 to ${once.size}."
        }
        refuseUnless(repeats == 0 || workload.spoilt == null) {
            "This workload says itself what a pause of the process has spoilt, so no trial is measured again for other work: leave repeats at 0."
        }
        refuseUnless(repeats in 0..MOST_REPEATS) { "repeats is $repeats; a disturbed trial is measured again 0 to $MOST_REPEATS times." }
        refuseUnless(!duet || treatments.size == PAIR) {
            "A duet is of two treatments, and the experiment has ${treatments.size}: leave out all but two, or leave out duet = true."
        }
        refuseUnless(!duet || workload.paced) {
            "Two loads at once take each other's processors unless both are planned: give an OpenLoop, or leave out duet = true."
        }
        if (precision == null) {
            refuseUnless(maxForks == null) {
                "maxForks is the budget of a precision: add precision = 2.percent, or ask for forks = $maxForks."
            }
        } else {
            refuseUnless(mostForks in forks..MOST_FORKS) {
                "maxForks is $mostForks and forks is $forks; a run has at least forks rounds and at most maxForks, which is up to " +
                    "$MOST_FORKS."
            }
            refuseUnless(mostForks >= Precision.FIRST_LOOK) {
                "maxForks is $mostForks; intervals are first looked at after ${Precision.FIRST_LOOK} rounds, so a precision needs as many."
            }
            precision.check(workload)
        }
    }

    /** The most rounds that a run may have, and their exact number without a [precision]. */
    public val mostForks: Int get() = if (precision == null) forks else maxForks ?: maxOf(forks, Precision.USUAL_BUDGET)

    /** The numbers of the rounds that a run may have, from 0: all, or those of its [shard]. */
    public val rounds: List<Int> get() = (0 until mostForks).filter { shard == null || it in shard }

    /** The treatments of each round, in the order of the lists: each once, or once per Java and alias; then those that it has [twice]. */
    public val treatments: List<Treatment>
        get() = once.let { all -> all + List(twice) { all[spread(it, all.size)].with(Factor.ALIAS, AGAIN) } }

    private val once: List<Treatment>
        get() =
            workload.treatments
                .crossed(Factor.JAVA, java.map(Jdk::toString).takeIf { it.size > 1 })
                .crossed(Factor.ALIAS, aliases.takeIf { it.isNotEmpty() })

    /** The [number]th of [twice] places among [size], at equal distances. */
    private fun spread(number: Int, size: Int) = (2 * number + 1) * size / (2 * twice)

    /** The Java that [treatment] asks for, or null for the default runtime. */
    public fun javaOf(treatment: Treatment): Jdk? = java.singleOrNull() ?: java.firstOrNull { "$it" == treatment[Factor.JAVA] }

    private fun List<Treatment>.crossed(factor: String, levels: List<String>?): List<Treatment> =
        if (levels == null) this else flatMap { what -> levels.map { what.with(factor, it) } }

    /**
     * The noise floor of this experiment: every treatment under two names, `A` and `A again`, in the same shuffled rounds.
     *
     * A/A comparison: only the name differs, and no workload knows the name. So a difference between the two aliases is noise of this
     * machine at this number of forks. Its runs have a name of their own, as in `threads-aa`, and its trials have one more factor,
     * `alias`. A second call changes nothing. R. Kohavi et al., *Trustworthy Online Controlled Experiments*, 2020, on A/A tests.
     */
    public fun aa(): Experiment<W> {
        if (aliases.isNotEmpty()) return this
        return copy(name = if (name == AA || name.endsWith("-$AA")) name else "$name-$AA", aliases = listOf("A", "A again"))
    }

    /** The same experiment with [client] as well. */
    public fun with(client: OwnClient): Experiment<W> {
        val others = workload.clients.filter { it.id != client.info.id }
        return copy(
            workload = same(workload.withClients(others + client.info)),
            own = own.filter { it.info.id != client.info.id } + client,
        )
    }

    /** The same experiment with [clients] alone. */
    public fun only(vararg clients: String): Experiment<W> {
        val known: List<ClientInfo> = workload.clients
        val unknown = clients.filter { id -> known.none { it.id == id } }
        refuseUnless(
            unknown.isEmpty(),
        ) { "The experiment $name has no client '${unknown.first()}'; it has ${known.joinToString { it.id }}." }
        val fewer: W = same(workload.withClients(known.filter { it.id in clients }))
        val mine = own.filter { it.info.id in clients }
        return copy(workload = fewer, own = mine, twice = minOf(twice, fewer.treatments.size), duet = duet && clients.size == known.size)
    }

    /**
     * A small version for trying things: fewer requests in flight, shorter delays, one fork and no precision. It takes at most half a
     * minute for a few clients. One fork has no noise, so nothing is measured [twice].
     */
    public fun smoke(): Experiment<W> = copy(workload = same(workload.smoke()), forks = 1, precision = null, maxForks = null, twice = 0)

    /** A workload changes its size and its clients and stays what it is. */
    @Suppress("UNCHECKED_CAST")
    private fun same(changed: Workload): W = changed as W

    public companion object {
        /** The alias of a treatment that a round measures a second time. */
        public const val AGAIN: String = "again"

        private val NAME = Regex("[a-z0-9]+(-[a-z0-9]+)*")
        private const val MOST_FORKS = 1000
        private const val MOST_REPEATS = 10
        private const val PAIR = 2
        private const val AA = "aa"
    }
}
