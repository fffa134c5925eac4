package clientlab.articles.audit

import clientlab.notebook.claim.*

internal const val NOTEBOOK = "11-limits-audit"

/** The claims of `11-limits-audit`. */
internal class AuditArticle : Article {
    override val notebook: String = NOTEBOOK
    override val claims: List<Claim> = auditClaims
}
