package clientlab.kandy.articles

import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.*
import org.jetbrains.kotlinx.kandy.letsplot.layers.points

internal fun storms() =
    // As the article shows it, with the imports from Kandy.
    published("storm-2026-11")
        .plot {
            points {
                x("goodputAfter") { axis.name = "answers a second after the surge" }
                y("retries")
                alpha = 0.4
                position = Position.jitter(0.0, 0.2)
            }
            layout { title = "Which callers have no answers any more?" }
        }
