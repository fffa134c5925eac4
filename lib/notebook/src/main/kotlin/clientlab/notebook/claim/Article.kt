package clientlab.notebook.claim

import java.util.ServiceLoader

/** What one article claims; `META-INF/services` names its implementation, so that the library finds articles it does not know. */
public interface Article {
    /** The article's file in `notebooks`, without its ending, as in `01-threads`. */
    public val notebook: String

    /** Its claims, in the order of the ledger. */
    public val claims: List<Claim>
}

/** Every claim there is, in the order of the articles in `META-INF/services`. */
public object Claims {
    public val all: List<Claim> by lazy { ServiceLoader.load(Article::class.java, Article::class.java.classLoader).flatMap { it.claims } }
}
