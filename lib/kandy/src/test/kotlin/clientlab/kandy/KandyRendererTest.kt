package clientlab.kandy

import clientlab.notebook.chart.*
import io.kotest.assertions.withClue
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class KandyRendererTest {
    private fun expected(name: String) =
        checkNotNull(javaClass.getResource("/charts/$name.txt")) { "There is no specification of '$name'." }.readText().trim()

    @Test
    fun `Kandy and Lets-Plot end in the same layers, mappings, scales and labels`() {
        Gallery.all.forEach { (name, make) ->
            withClue(name) { SpecText.of(KandyRenderer().render(make()).spec).lines() shouldBe expected(name).lines() }
        }
    }

    @Test
    fun `panels come in the order given, not in that of the alphabet`() {
        val svg = KandyRenderer().render(Gallery.curve()).svg.substringAfter("</desc>")
        val places = listOf("ktor-cio@article", "ktor-cio").map {
            Regex(">\\s*$it\\s*<").find(svg).shouldNotBeNull().range.first
        }
        places shouldBe places.sorted()
        svg shouldNotContain "\u200b"
    }

    @Test
    fun `the same chart is the same drawing to the last byte`() {
        KandyRenderer().render(Gallery.threads()).svg shouldBe KandyRenderer().render(Gallery.threads()).svg
    }

    @Test
    fun `the drawing says in words what it shows`() {
        KandyRenderer().render(Gallery.time()).svg shouldContain "<desc id="
        KandyRenderer().render(Gallery.time()).svg shouldContain Gallery.time().alt
    }

    @Test
    fun `no trials are drawn as the sentence that there are none`() {
        KandyRenderer().render(Gallery.empty()).svg shouldContain "no complete trials"
    }

    @Test
    fun `where Kandy is, Kandy draws`() {
        chartRenderer().name shouldBe "kandy"
    }
}
