package clientlab.articles.transfer

import clientlab.notebook.claim.*

internal const val NOTEBOOK = "05-transfer"

/** The claims of `05-transfer`. */
internal class TransferArticle : Article {
    override val notebook: String = NOTEBOOK
    override val claims: List<Claim> = ioClaims
}
