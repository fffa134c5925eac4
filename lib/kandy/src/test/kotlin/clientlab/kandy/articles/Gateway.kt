package clientlab.kandy.articles

import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.dataframe.api.sortBy
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.*
import org.jetbrains.kotlinx.kandy.letsplot.layers.points

internal fun gateway() =
    // As the article shows it, with the imports from Kandy.
    published("gateway-2026-11")
        .sortBy("answeredShare")
        .plot {
            points {
                x("answeredShare") { axis.name = "share of requests answered" }
                y("client")
                alpha = 0.4
                position = Position.jitter(0.0, 0.2)
            }
            layout { title = "Which gateway answers?" }
        }
