package clientlab.notebook.claim

import clientlab.notebook.frame.*
import java.util.ServiceLoader

/** Whose statement a claim is. The ledger counts each block for itself, because only the first one is the record of a source. */
public enum class Block(private val words: String) {
    /** A source says it. */
    Says("what the sources say"),

    /** We say it about a source: what its text or its data get wrong or leave open. */
    About("what we say about the sources"),

    /** We add it: no source says anything of it. */
    Adds("what we add"),

    /** It restates documentation or arithmetic, which our measurement must meet. */
    Check("checks of documentation and arithmetic"),
    ;

    override fun toString(): String = words
}

/**
 * A statement of a source, in a form that data can decide. It is defined once; notebooks and the ledger ask for it by its id.
 *
 * @property id its name in the ledger; the word before the point is the topic.
 * @property source the number of the document it comes from, or [BEYOND].
 * @property figure what the source gives for it.
 * @property evidence the published runs that decide it, as in `threads-2026-11`; none if the source's own figures decide it.
 * @property untestable the reason why no measurement here can decide it, or null.
 * @property parts computes from trials what must hold.
 * @property block whose statement it is.
 */
public class Claim(
    public val id: String,
    public val source: String,
    public val words: String,
    public val figure: String,
    public val evidence: List<String>,
    public val notebook: String,
    public val untestable: String? = null,
    public val block: Block = if (source == BEYOND) Block.Adds else Block.Says,
    public val parts: (Trials<*>) -> List<Part>,
) {
    /** The origin of the claim in a few words: a source's number, or none. */
    internal val saidBy: String
        get() = when {
            source == BEYOND -> "beyond the sources"
            block == Block.About -> "about source $source"
            else -> "source $source"
        }

    public companion object {
        /** Stands in place of a source if the claim is ours. */
        public const val BEYOND: String = "beyond"
    }
}

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
