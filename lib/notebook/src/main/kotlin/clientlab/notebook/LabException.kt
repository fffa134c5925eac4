package clientlab.notebook

/**
 * What the lab could not do, in one sentence for the person who asked: what was wrong, and what would be right.
 *
 * Like [clientlab.Refusal] it has no stack trace; the cause, where there is one, keeps its own.
 */
public open class LabException(
    message: String,
    cause: Throwable? = null,
) : RuntimeException(message, cause) {
    override fun fillInStackTrace(): Throwable = this
}
