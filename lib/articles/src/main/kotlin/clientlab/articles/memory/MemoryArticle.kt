package clientlab.articles.memory

import clientlab.notebook.claim.*

internal const val NOTEBOOK = "04-memory"

/** The claims of `04-memory`. */
internal class MemoryArticle : Article {
    override val notebook: String = NOTEBOOK
    override val claims: List<Claim> = memoryClaims
}
