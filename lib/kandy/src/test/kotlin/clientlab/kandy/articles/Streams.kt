package clientlab.kandy.articles

import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.*
import org.jetbrains.kotlinx.kandy.letsplot.layers.points

internal fun streams() =
    // As the article shows it, with the imports from Kandy.
    published("streams-2026-11")
        .sortBy("threadsNew")
        .plot {
            points {
                x("threadsNew") { axis.name = "platform threads more than before" }
                y("client")
                alpha = 0.4
                position = Position.jitter(0.0, 0.2)
            }
            layout { title = "Who holds a thread for each stream?" }
        }
