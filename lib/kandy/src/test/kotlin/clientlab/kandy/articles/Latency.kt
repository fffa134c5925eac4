package clientlab.kandy.articles

import clientlab.notebook.frame.client
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

internal fun latency() =
    // As the article shows it, with the imports from Kandy.
    published("latency-2026-11d")
        .filter { client in setOf("okhttp", "jdk", "ktor-apache5", "ktor-cio") }
        .groupBy("client", "rate")
        .median("latencyP99Ms")
        .plot {
            x("rate") { axis.name = "requests a second" }
            y("latencyP99Ms") { axis.name = "ms at the 99th percentile" }
            line { color("client") }
            points { color("client") }
            layout { title = "Who falls behind?" }
        }
