package clientlab.notebook

import clientlab.notebook.chart.Chart
import clientlab.notebook.chart.Figure
import clientlab.notebook.chart.chartRenderer
import clientlab.notebook.claim.Ledger
import clientlab.notebook.claim.Verdict
import clientlab.notebook.claim.Verdicts
import clientlab.notebook.claim.data
import clientlab.notebook.fork.CellSources
import clientlab.notebook.widget.Comms
import clientlab.notebook.widget.KernelComms
import clientlab.notebook.workshop.Check
import kotlinx.serialization.json.JsonObject
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.toDataFrame
import org.jetbrains.kotlinx.jupyter.api.MimeTypedResultEx
import org.jetbrains.kotlinx.jupyter.api.libraries.JupyterIntegration
import org.jetbrains.kotlinx.jupyter.api.mimeResult

/** All that the lab tells the Kotlin kernel: what to import, and how tables, figures and verdicts are shown. */
public class LabIntegration : JupyterIntegration() {
    override fun Builder.onLoaded() {
        import(*IMPORTS)
        comms = KernelComms(notebook.commManager)
        beforeCellExecution { ProgressDisplay.host = this }
        CellSources.current = { notebook.currentCell?.code }
        afterCellExecution { cell, _ -> notebook.currentCell?.let { CellSources.remember(cell, it.code) } }
        render<AnyFrame> { FrameOutput.of(it) }
        render<DataRow<*>> { FrameOutput.of(it.toDataFrame()) }
        render<Chart> { figure(chartRenderer().render(it)) }
        render<Figure> { figure(it) }
        render<Explorer> { it.output() }
        render<Verdict> { FrameOutput.output(it.html(), it.toString(), it.data()) }
        render<Verdicts> { FrameOutput.output(it.html(), it.toString(), it.data()) }
        render<Ledger> { FrameOutput.output(it.html(), it.toString(), it.data()) }
        render<Check> { mimeResult("text/html" to it.html(), "text/plain" to it.toString()) }
    }

    private fun figure(figure: Figure) = MimeTypedResultEx(JsonObject(figure.mimeBundle()))

    internal companion object {
        /** The kernel's line to what its front end draws; null outside a notebook. */
        @Volatile var comms: Comms? = null

        /** The same as in `notebooks/lab.json`, so that a kernel that reads only one of them knows all. */
        val IMPORTS =
            arrayOf(
                "clientlab.*",
                "clientlab.client.*",
                "clientlab.workload.*",
                "clientlab.notebook.*",
                "clientlab.notebook.chart.*",
                "clientlab.notebook.claim.*",
                "clientlab.notebook.fork.*",
                "clientlab.notebook.frame.*",
                "clientlab.notebook.journal.*",
                "clientlab.notebook.stats.*",
                "org.jetbrains.kotlinx.dataframe.*",
                "org.jetbrains.kotlinx.dataframe.api.*",
                "kotlin.time.Duration.Companion.milliseconds",
                "kotlin.time.Duration.Companion.seconds",
            )
    }
}
