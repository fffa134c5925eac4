package clientlab.kandy.articles

import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.dataframe.api.sortBy
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.*
import org.jetbrains.kotlinx.kandy.letsplot.layers.points

internal fun conduct() =
    // As the article shows it, with the imports from Kandy.
    published("conduct-2026-11")
        .sortBy("concerns")
        .plot {
            points {
                x("concerns") { axis.name = "situations with a concern" }
                y("client")
                alpha = 0.4
                position = Position.jitter(0.2, 0.2)
            }
            layout { title = "Do all forks of a client do the same?" }
        }
