package clientlab.articles

import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

/** The article [notebook] with its [claims], in the order of the ledger. */
internal abstract class NamedArticle(override val notebook: String, override val claims: List<Claim>) : Article

/** The claims of [notebook] about [source]. */
internal fun claims(notebook: String, source: String = Claim.BEYOND, add: ClaimList.() -> Unit): List<Claim> =
    ClaimList(notebook, source).apply(add).claims

/** Collects claims; each is `claim(…).says(…) { trials -> … }`. */
internal class ClaimList(private val notebook: String, private val source: String) {
    val claims = mutableListOf<Claim>()

    /** Begins the claim [id]: the source's [figure] for it, and the published runs that decide it; none if its own figures do. */
    fun claim(id: String, figure: String, vararg evidence: String): Begun =
        Begun(id, figure, evidence.toList(), if (source == Claim.BEYOND) Block.Adds else Block.Says)

    /** Begins a claim that we make about the source. */
    fun about(id: String, figure: String, vararg evidence: String): Begun = Begun(id, figure, evidence.toList(), Block.About)

    /** Begins a check of documentation or arithmetic. */
    fun check(id: String, figure: String, vararg evidence: String): Begun = Begun(id, figure, evidence.toList(), Block.Check)

    inner class Begun(private val id: String, private val figure: String, private val evidence: List<String>, private val block: Block) {
        /** The claim in [words], and the [parts] that trials must fulfil. */
        fun says(words: String, parts: (Trials<*>) -> List<Part>): Unit = add(words, null, parts)

        /** The claim in [words], and the reason why no measurement here can decide it. */
        fun isUntestable(words: String, because: String): Unit = add(words, because) { emptyList() }

        private fun add(words: String, untestable: String?, parts: (Trials<*>) -> List<Part>) {
            claims += Claim(id, source, words, figure, evidence, notebook, untestable, block, parts)
        }
    }
}
