package clientlab.notebook.claim

/** What source 001 says of moving bytes. */
internal val ioClaims: List<Claim> = listOf()
