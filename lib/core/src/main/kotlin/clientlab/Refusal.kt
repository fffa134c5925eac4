package clientlab

/**
 * What was asked for is impossible; the message says in one sentence what was wrong and what would be right.
 *
 * It has no stack trace: in a notebook the sentence is the whole answer, and the frames of a kernel would only bury it.
 */
public class Refusal(message: String) : IllegalArgumentException(message) {
    override fun fillInStackTrace(): Throwable = this
}

/** Throws a [Refusal] with [sentence] unless [holds]. */
public inline fun refuseUnless(holds: Boolean, sentence: () -> String) {
    if (!holds) throw Refusal(sentence())
}
