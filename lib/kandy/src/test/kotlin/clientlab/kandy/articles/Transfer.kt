package clientlab.kandy.articles

import clientlab.notebook.frame.published
import org.jetbrains.kotlinx.dataframe.api.groupBy
import org.jetbrains.kotlinx.dataframe.api.median
import org.jetbrains.kotlinx.dataframe.api.sortByDesc
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.layout
import org.jetbrains.kotlinx.kandy.letsplot.layers.bars

internal fun transfer() =
    // As the article shows it, with the imports from Kandy.
    published("transfer-read-2026-11e")
        .groupBy("means")
        .median("throughputMiBs")
        .sortByDesc("throughputMiBs")
        .plot {
            bars {
                x("means")
                y("throughputMiBs") { axis.name = "MiB a second" }
            }
            layout { title = "How fast is each way to read a file?" }
        }
