package clientlab.kandy.articles

import clientlab.burst.Burst
import clientlab.notebook.frame.published
import clientlab.notebook.frame.timeline
import org.jetbrains.kotlinx.dataframe.api.addId
import org.jetbrains.kotlinx.dataframe.api.sortBy
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.letsplot.feature.layout
import org.jetbrains.kotlinx.kandy.letsplot.layers.points
import org.jetbrains.kotlinx.kandy.letsplot.layers.segments
import org.jetbrains.kotlinx.kandy.util.color.Color

internal fun limits() =
    // As the article shows it, with the imports from Kandy.
    published<Burst>("limits-2026-11f").timeline("ktor-okhttp@default").sortBy("arrivedMs").addId("place").plot {
        segments {
            xBegin("askedMs")
            xEnd("arrivedMs")
            yBegin("place")
            yEnd("place")
        }
        points {
            x("answeredMs") { axis.name = "ms since the burst began" }
            y("place") { axis.name = "requests, as they arrived" }
            color = Color.BLUE
        }
        layout { title = "Where does a request wait?" }
    }
