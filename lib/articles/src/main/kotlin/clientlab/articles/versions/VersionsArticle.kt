package clientlab.articles.versions

import clientlab.notebook.claim.*

internal const val NOTEBOOK = "10-versions"

/** The claims of `10-versions`. */
internal class VersionsArticle : Article {
    override val notebook: String = NOTEBOOK
    override val claims: List<Claim> = versionsClaims
}
