package clientlab.kandy.articles

import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.*
import org.jetbrains.kotlinx.kandy.letsplot.layers.points

internal fun wires() =
    // As the article shows it, with the imports from Kandy.
    published("wires-2026-11")
        .filter { "wire"<String>() == "150 ms" && "protocol"<String>() == "https/1.1" }
        .plot {
            points {
                x("durationAgainMs") { axis.name = "next request, in ms" }
                y("client")
                alpha = 0.4
                position = Position.jitter(0.0, 0.2)
            }
            layout { title = "Who connects again for the next request?" }
        }
