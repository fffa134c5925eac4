package clientlab.kandy.articles

import clientlab.notebook.frame.client
import clientlab.notebook.frame.inFlight
import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.sortBy
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.*
import org.jetbrains.kotlinx.kandy.letsplot.layers.points

internal fun threads() =
    // As the article shows it, with the imports from Kandy.
    published("threads-2026-11e")
        .filter { inFlight == 500 && client != "jdk-blocking" }
        .sortBy("threadsBlocked")
        .plot {
            points {
                x("threadsBlocked") { axis.name = "platform threads held by requests" }
                y("client")
                alpha = 0.4
                position = Position.jitter(0.0, 0.2)
            }
            layout { title = "Who holds a thread for each request?" }
        }
