package clientlab.notebook.chart

import javax.xml.stream.XMLInputFactory
import javax.xml.stream.XMLStreamConstants
import javax.xml.stream.XMLStreamReader

/** Where a drawing has its panels: left, top, width and height in pixels, in the order of the panels. */
internal object PanelBoxes {
    private val FACTORY = XMLInputFactory.newInstance().apply { setProperty(XMLInputFactory.SUPPORT_DTD, false) }

    /** The engine clips each panel to a rectangle of its own, and nothing else of the plot. */
    fun of(svg: String): List<List<Double>> {
        val boxes = mutableListOf<List<Double>>()
        val moved = ArrayDeque(listOf(0.0 to 0.0))
        var clipped = false
        val reader = FACTORY.createXMLStreamReader(svg.reader())
        while (reader.hasNext()) {
            val event = reader.next()
            if (event == XMLStreamConstants.END_ELEMENT) moved.removeLast()
            if (event != XMLStreamConstants.START_ELEMENT) continue
            val (dx, dy) = translation(reader)
            val (left, top) = moved.last().let { (x, y) -> x + dx to y + dy }
            moved += left to top
            if (reader.localName == "clipPath") clipped = true
            if (clipped && reader.localName == "rect") {
                boxes += listOf(left + reader.number("x"), top + reader.number("y"), reader.number("width"), reader.number("height"))
                clipped = false
            }
        }
        return boxes.distinct()
    }

    private fun translation(reader: XMLStreamReader): Pair<Double, Double> {
        val transform = reader.getAttributeValue(null, "transform") ?: return 0.0 to 0.0
        if (!transform.startsWith("translate(")) return 0.0 to 0.0
        val inside = transform.substringAfter('(').substringBefore(')')
        val numbers = inside.split(' ', ',').mapNotNull { it.toDoubleOrNull() }
        return numbers[0] to numbers.getOrElse(1) { 0.0 }
    }

    private fun XMLStreamReader.number(name: String): Double = getAttributeValue(null, name)?.toDouble() ?: 0.0
}
