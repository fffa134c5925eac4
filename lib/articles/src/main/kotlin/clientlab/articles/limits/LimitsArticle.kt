package clientlab.articles.limits

import clientlab.notebook.claim.*

internal const val NOTEBOOK = "02-limits"

/** The claims of `02-limits`. */
internal class LimitsArticle : Article {
    override val notebook: String = NOTEBOOK
    override val claims: List<Claim> = limitsClaims
}
