package clientlab

/**
 * What the lab cannot do, in one sentence for the person who asked: what is wrong, what would be right, and what to do.
 *
 * It prints as its sentence alone and has no stack trace of its own, because a kernel's frames would bury the sentence.
 */
public open class LabException(message: String, cause: Throwable? = null) : RuntimeException(message, cause) {
    override fun fillInStackTrace(): Throwable = this

    override fun toString(): String = message.orEmpty()
}

/** Throws a [LabException] with [sentence] unless [holds]. */
public inline fun refuseUnless(holds: Boolean, sentence: () -> String) {
    if (!holds) throw LabException(sentence())
}
