package clientlab.notebook.claim

/** What source 004 says of engines, dispatchers and limits. */
internal val limitsClaims: List<Claim> = listOf()
