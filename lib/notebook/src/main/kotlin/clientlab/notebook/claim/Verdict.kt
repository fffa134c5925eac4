package clientlab.notebook.claim

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.home.*
import clientlab.notebook.output.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * The outcome of a claim. The worst part counts; refuted is the worst. A claim is no longer so if it holds for the version that its source
 * measured, and is refuted for today's.
 */
public enum class VerdictOutcome(private val words: String) {
    NotTestable("not testable here"),
    Supported("supported"),
    Inconclusive("inconclusive"),
    Refuted("refuted"),
    NoLongerSo("no longer so"),
    ;

    override fun toString(): String = words
}

/**
 * A claim with its outcome, from trials or, if no trial decides it, from the source's own figures.
 *
 * @property evidence the names of the published runs that it rests on; none if it is from other trials.
 * @property again the verdicts of the published runs that repeat these on other days; none if these are all.
 */
public class Verdict internal constructor(
    public val claim: Claim,
    parts: List<Part>,
    public val runs: List<String>,
    public val evidence: List<String> = emptyList(),
    public val again: List<Verdict> = emptyList(),
) {
    /** What is measured, each as one of as many as chance may decide. */
    public val parts: List<Part> = parts.count { it.byChance }.let { several -> parts.map { it.asOneOf(several) } }

    /**
     * The outcome of these runs alone: the worst of the parts; inconclusive if there are none, not testable if the claim says so. If some parts
     * are about the source's version, those of today's count where they hold.
     */
    private val alone: VerdictOutcome
        get() {
            if (claim.untestable != null) return VerdictOutcome.NotTestable
            val (then, now) = parts.partition { it.then }
            return when {
                then.isEmpty() -> now.worst
                then.worst != VerdictOutcome.Supported -> then.worst
                now.worst == VerdictOutcome.Refuted -> VerdictOutcome.NoLongerSo
                else -> now.worst
            }
        }

    private val List<Part>.worst get() = maxOfOrNull { it.outcome } ?: VerdictOutcome.Inconclusive

    /** The outcome of these runs, if every run of another day agrees; otherwise inconclusive. */
    public val outcome: VerdictOutcome get() = if (disagrees == null) alone else VerdictOutcome.Inconclusive

    private val disagrees: Verdict? get() = again.firstOrNull { it.outcome != alone }

    /** How many runs there are of different days, and whether they agree, in words; empty where no run decides. */
    public val days: String
        get() = when {
            runs.isEmpty() -> ""
            again.isEmpty() -> "one run"
            disagrees == null -> "${again.size + 1} runs of different days agree"
            else -> "${again.size + 1} runs of different days disagree"
        }

    /** The part that decides the verdict, or null if there is none. */
    public val deciding: Part?
        get() = parts.firstOrNull { it.outcome == if (alone == VerdictOutcome.NoLongerSo) VerdictOutcome.Refuted else alone }

    /** The verdict in words, with the reason if it is not decided. */
    public val words: String get() = if (because.isEmpty()) outcome.toString() else "$outcome: $because"

    /** Which day says what, as a sentence, if they disagree. */
    private val disagreement: String? get() = disagrees?.let { "${days.replaceFirstChar(Char::uppercase)}: $because." }

    internal val because: String
        get() = claim.untestable
            ?: disagrees?.let { "$alone by ${evidence.joinToString()}, ${it.outcome} by ${it.evidence.joinToString()}" }
            ?: deciding?.because.orEmpty()

    /** The basis of the verdict: the runs, their commits, and whether their machine was unsettled. */
    public val basis: String
        get() = if (runs.isEmpty() && claim.untestable == null && claim.evidence.isEmpty()) "the source's own figures" else originOf(runs)

    /** The basis, and the runs of other days that the verdict weighs. */
    internal val bases: String
        get() = again.flatMap { it.evidence }.let { if (it.isEmpty()) basis else "$basis; measured again: ${it.joinToString()}" }

    /** Whether the claim stood before its runs, in words. */
    internal val registered: String get() = claim.registered(runs)

    /** It has a column for the noise if any part has a floor. */
    internal fun partsTable(sorts: Boolean = parts.size > 1): String {
        val noise = parts.any { it.floor != null }
        val cells = parts.map { part ->
            val always = listOf(part.of, part.metric, "${part.bound}", "${part.estimate}", "${part.estimate.n}", part.words)
            if (noise) always + part.floor?.toString().orEmpty() else always
        }
        val floors = parts.mapNotNull { it.floor?.from }.distinct()
        val more = if (floors.isEmpty()) bases else "$bases; A/A: ${floors.joinToString()}"
        return Html.table(if (noise) HEADER + "A/A" else HEADER, cells, right = setOf(4), more = more, sorts = sorts)
    }

    internal fun html(): String =
        "<p><strong>${claim.id}: $outcome.</strong> ${Html.escape(claim.words)} " +
            "<em>${claim.saidBy.replaceFirstChar(Char::uppercase)}: ${Html.escape(claim.figure)}.</em></p>\n" +
            disagreement?.let { "<p>${Html.escape(it)}</p>\n" }.orEmpty() +
            (claim.untestable?.let { "<p>${Html.escape(it)}</p>" } ?: partsTable()) + again.joinToString("") { it.folded() }

    /** The parts of another day, behind its name and outcome. */
    private fun folded() = "\n<details><summary>${evidence.joinToString()}: $outcome</summary>${partsTable()}</details>"

    /** One line to search for in files: id, outcome and basis. */
    internal fun line(): String {
        val n = deciding?.let { "n = ${it.estimate.n}, " }.orEmpty()
        return "${claim.id}: $outcome. ${claim.words} (${claim.saidBy}: ${claim.figure}; $n$basis)"
    }

    override fun toString(): String {
        val lines = listOfNotNull(line(), (claim.untestable ?: disagreement)?.let { "  $it" }) + parts.map(::line)
        return lines.joinToString("\n")
    }

    private fun line(of: Part): String {
        val noise = of.floor?.let { ", A/A $it" }.orEmpty()
        return "  ${of.of}, ${of.metric}: ${of.estimate}, bound ${of.bound}$noise, n = ${of.estimate.n}: ${of.words}"
    }

    private companion object {
        val HEADER = listOf("of", "measured", "bound", "estimate [95 % interval]", "n", "verdict")
    }
}

/** The verdict on the claim [id] from [trials]. Fails for an unknown id, and lists the known ones. */
public fun verdict(id: String, trials: Trials<*>): Verdict = claim(id).heldAgainst(trials)

/** The verdict on a reader's own [claim] from [trials]; the claim may be written in a cell. */
public fun verdict(claim: Claim, trials: Trials<*>): Verdict = claim.heldAgainst(trials)

/** The verdict on the claim [id] from the published runs that decide it. */
public fun verdict(id: String): Verdict = claim(id).heldAgainst(null)

private fun claim(id: String): Claim = Claims.all.firstOrNull { it.id == id } ?: throw LabException("No claim '$id'${known(id)}")

private fun known(id: String): String {
    val all = Claims.all.map { it.id }
    return didYouMean(id, all).trim().let { if (it.isEmpty()) ". Known claims: ${all.joinToString()}." else ": $it" }
}

/** The verdict on this claim from [trials]; if they are null, from its own evidence and from every published run that repeats it. */
public fun Claim.heldAgainst(trials: Trials<*>?): Verdict {
    if (untestable != null) return Verdict(this, emptyList(), emptyList())
    if (trials != null || evidence.isEmpty()) {
        val held = trials ?: evidence(evidence)
        return Verdict(this, parts(held), if (evidence.isEmpty()) emptyList() else held.runs())
    }
    val repeats = evidence.map(Repeats::of)
    return of(evidence, List(repeats.minOf { it.size }) { day -> of(repeats.map { it[day] }) })
}

private fun Claim.of(names: List<String>, again: List<Verdict> = emptyList()): Verdict =
    evidence(names).let { held -> Verdict(this, parts(held), held.runs(), names, again) }

/** The verdicts on all claims of [topic] for which [trials] have data. */
public fun verdicts(trials: Trials<*>, topic: String = "threads"): Verdicts {
    val topics = Claims.all.map { it.id.substringBefore('.') }.distinct()
    refuseUnless(topic in topics) { "No claims are about '$topic'; there are claims about ${topics.joinToString()}." }
    val claims = Claims.all.filter { it.id.startsWith("$topic.") && it.untestable == null && it.evidence.isNotEmpty() }
    return Verdicts(claims.map { it.heldAgainst(trials) }.filter { verdict -> verdict.parts.any { it.estimate.n > 0 } })
}

/**
 * The verdicts on the claims [ids] from the published runs that decide them, as one table. Fails for an unknown id, and lists the known ones.
 */
public fun verdicts(vararg ids: String): Verdicts {
    refuseUnless(
        ids.isNotEmpty(),
    ) { "verdicts() needs the id of a claim, as in verdicts(\"threads.blocking\"); ledger() shows all of them." }
    return Verdicts(ids.map { verdict(it) })
}

/** Several verdicts, shown as a table with the deciding part of each. */
public class Verdicts internal constructor(public val all: List<Verdict>) {
    /** One row per claim: its words, the source's figure, the deciding part, its bound, n and the verdict. */
    public fun frame(): AnyFrame =
        dataFrameOf(
            all.map { it.claim.id }.toColumn("claim"),
            all.map { it.claim.words }.toColumn("words"),
            all.map { it.claim.figure }.toColumn("source"),
            all.map(::decidedBy).toColumn("decidedBy"),
            all.map(::bound).toColumn("bound"),
            all.map { it.deciding?.estimate?.n ?: 0 }.toColumn("n"),
            all.map { it.words }.toColumn("verdict"),
            all.map { it.basis }.toColumn(ORIGIN),
        )

    internal fun html(): String {
        val rows = all.map {
            listOf(it.claim.id, it.claim.words, it.claim.figure, decidedBy(it), bound(it), "${it.deciding?.estimate?.n ?: 0}", it.words)
        }
        return Html.table(HEADER, rows, right = setOf(5), more = all.map { it.bases }.distinct().joinToString("; "))
    }

    override fun toString(): String = all.joinToString("\n") { verdict ->
        "${verdict.line()}\n  ${decidedBy(verdict)}" + if (verdict.because.isEmpty()) "" else ": ${verdict.because}"
    }

    private fun decidedBy(verdict: Verdict) = verdict.deciding?.let { "${it.of}, ${it.metric}: ${it.estimate}" }.orEmpty()

    private fun bound(verdict: Verdict) = verdict.deciding?.bound?.toString().orEmpty()
}

private val HEADER = listOf("claim", "words", "source", "decided by", "bound", "n", "verdict")
