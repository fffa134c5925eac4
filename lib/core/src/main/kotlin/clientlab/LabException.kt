package clientlab

/**
 * What the lab cannot do, in one sentence for the person who asked: what is wrong, what would be right, and what to do.
 *
 * It prints as its sentence alone and has no stack trace of its own: in a notebook, the kernel's frames would bury the sentence. A [cause]
 * keeps its own stack trace.
 */
public open class LabException(message: String, cause: Throwable? = null) : RuntimeException(message, cause) {
    override fun fillInStackTrace(): Throwable = this

    override fun toString(): String = message.orEmpty()
}

/** Throws a [LabException] with [sentence] unless [holds]. */
public inline fun refuseUnless(holds: Boolean, sentence: () -> String) {
    if (!holds) throw LabException(sentence())
}
