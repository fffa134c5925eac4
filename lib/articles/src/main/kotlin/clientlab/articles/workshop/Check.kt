package clientlab.articles.workshop

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.output.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.jupyter.api.DisplayResult
import org.jetbrains.kotlinx.jupyter.api.mimeResult

/** How an answer stands. */
public enum class Standing(internal val sign: String, internal val word: String) {
    /** It is right. */
    Holds("✓", "It holds."),

    /** The answer is wrong. */
    Wrong("✗", "Not yet."),

    /** There is no answer, or nothing to compare it with. */
    Missing("…", "First things first."),
}

/**
 * The workshop's reply to an answer, in one sentence: that it is right, or what is wrong and where to look.
 *
 * A check looks at what must be the same on every machine, such as the most requests that the server saw or which of two is more. It never
 * looks at a time.
 */
public class Check internal constructor(public val standing: Standing, public val sentence: String) : Shown {
    /** Whether the answer is right. */
    public val holds: Boolean get() = standing == Standing.Holds

    internal fun html(): String = "<p><strong>${standing.sign} ${standing.word}</strong> ${Html.escape(sentence)}</p>"

    override fun shown(): DisplayResult = mimeResult("text/html" to html(), "text/plain" to toString())

    override fun toString(): String = "${standing.sign} $sentence"
}

/**
 * The median over forks of [metric], in the trials of one client, executor or mechanism [subject] at [number] requests in flight, or tasks.
 *
 * Fails if there are no such trials, or none that count.
 */
public fun Trials<*>.measured(metric: String, subject: String, number: Int): Double = try {
    Answer().run { median(trials(this@measured, subject, number), metric) }
} catch (found: Found) {
    throw LabException(found.check.sentence)
}

/** Checks an answer step by step. The first step that finds a mistake ends the check; without a mistake the answer is right. */
internal fun checking(look: Answer.() -> String): Check = try {
    Check(Standing.Holds, Answer().look())
} catch (found: Found) {
    found.check
}

/** The steps of a check. */
internal class Answer {
    /** The prediction [value]; null if the learner has not filled it in. */
    fun <T : Any> given(name: String, value: T?): T = value ?: missing("Predict first: $name is still null.")

    /** Ends the check with the sentence [wrong] unless [right]. */
    fun expect(right: Boolean, wrong: () -> String) {
        if (!right) throw Found(Check(Standing.Wrong, wrong()))
    }

    fun missing(sentence: String): Nothing = throw Found(Check(Standing.Missing, sentence))

    /** The trials of one [subject], at [number] requests in flight or tasks where that is given. */
    fun trials(of: Trials<*>, subject: String, number: Int? = null): TreatmentTrials {
        val named = if (number == null) subject else "$subject at $number"
        val groups = of.byTreatment().filter { it.treatment.subject == subject && (number == null || it.size == number) }
        val group = groups.firstOrNull() ?: missing("There are no trials of $named: run the experiment as its cell has it.")
        if (group.counted.isEmpty()) missing("No trial of $named counts, so run the experiment again: ${group.rows.first()["reasons"]}")
        return group
    }

    fun median(of: TreatmentTrials, metric: String): Double {
        val values = of.values(metric)
        val advice = "run the experiment again, and where that changes nothing, pass on to the next task."
        if (values.isEmpty()) missing("The trials of ${of.treatment.subject} have no $metric: $advice")
        return of.median(metric).value
    }
}

/** Requests in flight, or tasks. */
internal val TreatmentTrials.size: Int get() = (number(Factor.IN_FLIGHT) ?: number(Factor.TASKS) ?: 0).toInt()

/** A number as it stands in a sentence. */
internal fun Double.text(): String = Estimate.rounded(this)

/** Ends a check with its result; it never leaves the check. */
internal class Found(val check: Check) : RuntimeException(check.sentence) {
    override fun fillInStackTrace(): Throwable = this
}
