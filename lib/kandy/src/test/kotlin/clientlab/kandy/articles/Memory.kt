package clientlab.kandy.articles

import clientlab.notebook.frame.metric
import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.kandy.dsl.continuous
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.layout
import org.jetbrains.kotlinx.kandy.letsplot.layers.points
import org.jetbrains.kotlinx.kandy.letsplot.scales.Transformation

internal fun memory() =
    // As the article shows it, with the imports from Kandy.
    published("memory-2026-11e")
        .filter { "tasks"<Int>() > 0 && metric("memoryGrowthBytes")!! > 0 }
        .plot {
            points {
                x("tasks") { scale = continuous(0.7, 15_000.0, transform = Transformation.LOG10) }
                y("memoryGrowthBytes") { scale = continuous(1.5e5, 5e8, transform = Transformation.LOG10) }
                color("mechanism")
                alpha = 0.4
            }
            layout { title = "What do waiting tasks take?" }
        }
