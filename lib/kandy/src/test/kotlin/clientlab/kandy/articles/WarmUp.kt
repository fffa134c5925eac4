package clientlab.kandy.articles

import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.sortBy
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.Position
import org.jetbrains.kotlinx.kandy.letsplot.feature.layout
import org.jetbrains.kotlinx.kandy.letsplot.feature.position
import org.jetbrains.kotlinx.kandy.letsplot.layers.points

internal fun warmUp() =
    // As the article shows it, with the imports from Kandy.
    published("warmup-2026-11")
        .filter { "shape"<String>() != "no steady state" }
        .sortBy("steadyAfterMs")
        .plot {
            points {
                x("steadyAfterMs") { axis.name = "ms from the first request until steady" }
                y("client")
                alpha = 0.4
                position = Position.jitter(0.0, 0.2)
            }
            layout { title = "Which client is steady first?" }
        }
