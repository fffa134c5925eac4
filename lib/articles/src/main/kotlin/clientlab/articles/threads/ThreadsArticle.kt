package clientlab.articles.threads

import clientlab.notebook.claim.*

internal const val NOTEBOOK = "01-threads"

/** The claims of `01-threads`. */
internal class ThreadsArticle : Article {
    override val notebook: String = NOTEBOOK
    override val claims: List<Claim> = countClaims + ruleClaims
}
