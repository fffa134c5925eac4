package clientlab.notebook.claim

/** What source 003 says of the memory of a waiting task. */
internal val memoryClaims: List<Claim> = listOf()
