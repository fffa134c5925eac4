package clientlab.notebook.claim

/** What source 000 leaves open: steady load on a gateway, many fast calls, much data. */
internal val openClaims: List<Claim> = listOf()
