package clientlab.notebook.frame

import clientlab.Factor
import clientlab.Treatment

/** Whose colour a treatment has in a figure: the client, or what else runs or moves something in it; empty where nothing does. */
public val Treatment.subject: String
    get() = listOf(Factor.CLIENT, Factor.EXECUTOR, Factor.MECHANISM, Factor.IO_API).firstNotNullOfOrNull { this[it] }.orEmpty()
