package clientlab.kandy.articles

import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.dataframe.api.sortBy
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.*
import org.jetbrains.kotlinx.kandy.letsplot.layers.points

internal fun warmUp() =
    // As the article shows it, with the imports from Kandy.
    published("warmup-2026-11b")
        .sortBy("latencyP99Ms")
        .plot {
            points {
                x("latencyP99Ms") { axis.name = "99th percentile of the whole load, in ms" }
                y("client")
                alpha = 0.4
                position = Position.jitter(0.0, 0.2)
            }
            layout { title = "What do callers of a fresh instance wait?" }
        }
