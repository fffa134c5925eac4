package clientlab.notebook

/** What the lab could not do, in one sentence for the person who asked: what was wrong, and what would be right. */
public class LabException(
    message: String,
    cause: Throwable? = null,
) : RuntimeException(message, cause)
