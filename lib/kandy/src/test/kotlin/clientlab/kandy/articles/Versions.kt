package clientlab.kandy.articles

import clientlab.notebook.frame.client
import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.*
import org.jetbrains.kotlinx.kandy.letsplot.layers.points

internal fun versions() =
    // As the article shows it, with the imports from Kandy.
    published("versions-2026-11")
        .filter { client.startsWith("ktor-cio") }
        .plot {
            points {
                x("batches") { axis.name = "waves in which 500 requests arrive" }
                y("client")
                alpha = 0.4
                position = Position.jitter(0.0, 0.2)
            }
            layout { title = "Which version sends them at once?" }
        }
