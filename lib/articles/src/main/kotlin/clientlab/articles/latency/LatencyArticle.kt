package clientlab.articles.latency

import clientlab.notebook.claim.*

internal const val NOTEBOOK = "12-latency"

/** The claims of `12-latency`. */
internal class LatencyArticle : Article {
    override val notebook: String = NOTEBOOK
    override val claims: List<Claim> = latencyClaims
}
