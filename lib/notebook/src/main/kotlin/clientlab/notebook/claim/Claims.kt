package clientlab.notebook.claim

/** Every claim there is, source by source, and then what goes beyond them. */
public object Claims {
    public val all: List<Claim> =
        threadsClaims + openClaims + ioClaims + loomClaims + memoryClaims + limitsClaims + versionsClaims + auditClaims + latencyClaims +
            protocolClaims +
            costClaims
}
