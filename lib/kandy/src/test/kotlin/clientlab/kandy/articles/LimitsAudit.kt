package clientlab.kandy.articles

import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.sortBy
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.*
import org.jetbrains.kotlinx.kandy.letsplot.layers.points

internal fun limitsAudit() =
    // As the article shows it, with the imports from Kandy.
    published("audit-2026-11")
        .filter { "hosts"<Int>() == 1 }
        .sortBy("heldInFlight")
        .plot {
            points {
                x("heldInFlight") { axis.name = "most in flight to one host" }
                y("client")
                alpha = 0.4
                position = Position.jitter(0.0, 0.2)
            }
            layout { title = "Which limit comes first?" }
        }
