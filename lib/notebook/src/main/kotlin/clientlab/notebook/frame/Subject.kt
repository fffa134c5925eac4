package clientlab.notebook.frame

import clientlab.*

/** The value that gives a treatment its colour in a figure: the client, or what else runs or moves something in it; otherwise empty. */
public val Treatment.subject: String
    get() = listOf(Factor.CLIENT, Factor.EXECUTOR, Factor.MECHANISM, Factor.IO_API).firstNotNullOfOrNull { this[it] }.orEmpty()
