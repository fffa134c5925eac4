package clientlab.articles.gateway

import clientlab.notebook.claim.*

internal const val NOTEBOOK = "06-gateway"

/** The claims of `06-gateway`. */
internal class GatewayArticle : Article {
    override val notebook: String = NOTEBOOK
    override val claims: List<Claim> = loadClaims + wordClaims
}
