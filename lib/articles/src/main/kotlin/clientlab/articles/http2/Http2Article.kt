package clientlab.articles.http2

import clientlab.notebook.claim.*

internal const val NOTEBOOK = "13-http2"

/** The claims of `13-http2`. */
internal class Http2Article : Article {
    override val notebook: String = NOTEBOOK
    override val claims: List<Claim> = protocolClaims
}
