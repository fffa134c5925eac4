package clientlab.kandy.articles

import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.groupBy
import org.jetbrains.kotlinx.dataframe.api.median
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.layout
import org.jetbrains.kotlinx.kandy.letsplot.layers.line
import org.jetbrains.kotlinx.kandy.letsplot.layers.points
import org.jetbrains.kotlinx.kandy.letsplot.x
import org.jetbrains.kotlinx.kandy.letsplot.y

internal fun virtualThreads() =
    // As the article shows it, with the imports from Kandy.
    published("tasks-2026-11")
        .filter { "calls"<Int>() == 1 }
        .groupBy("executor", "delayMs")
        .median("durationMs")
        .plot {
            x("delayMs") { axis.name = "the server's delay, in ms" }
            y("durationMs") { axis.name = "ms for all tasks" }
            line { color("executor") }
            points { color("executor") }
            layout { title = "Which grows with the delay?" }
        }
