package clientlab.kandy.articles

import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.dataframe.api.sortBy
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.*
import org.jetbrains.kotlinx.kandy.letsplot.layers.points

internal fun protocols() =
    // As the article shows it, with the imports from Kandy.
    published("http2-2026-11")
        .sortBy("connectionsOpened")
        .plot {
            points {
                x("connectionsOpened") { axis.name = "connections for 50 requests" }
                y("client")
                color("protocol")
                alpha = 0.4
                position = Position.jitter(0.0, 0.2)
            }
            layout { title = "How many connections does a protocol need?" }
        }
