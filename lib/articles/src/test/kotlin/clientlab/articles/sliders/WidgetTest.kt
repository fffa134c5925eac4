package clientlab.articles.sliders

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainAll
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test

class WidgetTest {
    private val comms = MadeComms()
    private val slider = Controls(comms).slider("requests", 1..20, 5)
    private val model = comms.of("_model_name", "IntSliderModel")

    @Test
    fun `a control is opened as a model of the second ipywidgets protocol, with the names that its front end knows`() {
        model.target shouldBe "jupyter.widget"
        model.metadata["version"] shouldBe JsonPrimitive("2.1.0")
        model.state shouldContainAll mapOf(
            "_model_module" to JsonPrimitive("@jupyter-widgets/controls"),
            "_view_name" to JsonPrimitive("IntSliderView"),
            "min" to JsonPrimitive(1),
            "max" to JsonPrimitive(20),
            "value" to JsonPrimitive(5),
        )
    }

    @Test
    fun `a style is drawn by the base module, whose view it names`() {
        comms.of("_model_name", "SliderStyleModel").state shouldContainAll mapOf(
            "_view_module" to JsonPrimitive("@jupyter-widgets/base"),
            "_view_name" to JsonPrimitive("StyleView"),
        )
    }

    @Test
    fun `what a person sets is known here, and told by its key`() {
        val told = mutableListOf<String>()
        slider.onChange { told += it }
        model.set("value", JsonPrimitive(12))
        slider.int("value") shouldBe 12
        told shouldContainExactly listOf("value")
    }

    @Test
    fun `a page that was loaded again is told everything`() {
        model.set("value", JsonPrimitive(12))
        model.askForState()
        model.sent.single().getValue("state").jsonObject["value"] shouldBe JsonPrimitive(12)
    }
}
