package clientlab.notebook.attach

import clientlab.notebook.chart.*
import clientlab.notebook.run.*
import org.jetbrains.kotlinx.jupyter.api.mimeResult
import java.util.UUID

/** A chart below the cell that runs, which each new one replaces. Outside a notebook it shows nothing. */
internal class LiveChart {
    private val host = ProgressDisplay.host
    private val id = "lab-${UUID.randomUUID()}"
    private var shown = false

    fun show(chart: () -> Chart) {
        if (host == null) return
        val figure = chartRenderer().render(chart())
        val picture = mimeResult("image/svg+xml" to figure.svg, "text/plain" to figure.alt)
        if (shown) host.updateDisplay(picture, id) else host.display(picture, id)
        shown = true
    }
}
