package clientlab.articles.loom

import clientlab.notebook.claim.*

internal const val NOTEBOOK = "03-virtual-threads"

/** The claims of `03-virtual-threads`. */
internal class LoomArticle : Article {
    override val notebook: String = NOTEBOOK
    override val claims: List<Claim> = loomClaims
}
