package clientlab.articles.cost

import clientlab.notebook.claim.*

internal const val NOTEBOOK = "14-cost"

/** The claims of `14-cost`. */
internal class CostArticle : Article {
    override val notebook: String = NOTEBOOK
    override val claims: List<Claim> = costClaims
}
