package clientlab.notebook.claim

/** What source 002 says of virtual threads for API calls. */
internal val loomClaims: List<Claim> = listOf()
