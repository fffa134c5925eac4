package clientlab.notebook

import clientlab.notebook.chart.*
import clientlab.notebook.claim.*
import clientlab.notebook.fork.*
import clientlab.notebook.output.*
import clientlab.notebook.run.*
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
        Kernel.notebook = notebook
        beforeCellExecution { ProgressDisplay.host = this }
        CellSources.current = { notebook.currentCell?.code }
        afterCellExecution { cell, _ -> notebook.currentCell?.let { CellSources.remember(cell, it.code) } }
        render<AnyFrame> { FrameOutput.of(it) }
        render<DataRow<*>> { FrameOutput.of(it.toDataFrame()) }
        render<Chart> { figure(chartRenderer().render(it)) }
        render<Figure> { figure(it) }
        render<Shown> { it.shown() }
        render<Verdict> { FrameOutput.output(it.html(), it.toString(), it.data()) }
        render<Verdicts> { FrameOutput.output(it.html(), it.toString(), it.data()) }
        render<Ledger> { FrameOutput.output(it.html(), it.toString(), it.data()) }
    }

    private fun figure(figure: Figure) = MimeTypedResultEx(JsonObject(figure.mimeBundle()))

    internal companion object {
        /** The same as in `notebooks/lab.json`, because some kernels read only one of the two. */
        val IMPORTS: Array<String> = listOf(
            "clientlab" to "Arrivals Datetime Experiment Factor Payload Precision Protocol Shard Start Wire percent",
            "clientlab.audit" to "Audit",
            "clientlab.burst" to "BackgroundLoad Burst Dispatch Instrument Server",
            "clientlab.client" to "BlockingCall BlockingSession CallerThreads Conditions Reply Request Session SuspendingCall",
            "clientlab.client" to "blockingClient ownClient suspendingClient",
            "clientlab.capacity" to "Capacity",
            "clientlab.closedloop" to "ClosedLoop",
            "clientlab.conduct" to "Conduct",
            "clientlab.gatewayload" to "GatewayLoad bounded",
            "clientlab.idle" to "IdleTasks Mechanism MemoryInstrument",
            "clientlab.notebook.campaign" to "campaign",
            "clientlab.notebook.catalogue" to "catalogue clients ioApis table versions",
            "clientlab.notebook.claim" to "Bound Claim Part StatedVerdicts VerdictOutcome ledger verdict verdicts",
            "clientlab.notebook.figure" to "aaChart driftChart inFlightChart memoryChart stackChart threadChart threadsByInFlightChart",
            "clientlab.notebook.figure" to "waterfallChart",
            "clientlab.notebook.frame" to "Trials activeUnparkedNew byTreatment client counted dictionary durationMs inFlight machine",
            "clientlab.notebook.frame" to "metric noiseFloors notes outcome pairs provenance published round run summary threadsBlocked",
            "clientlab.notebook.frame" to "threadsNew threadsOf timeline",
            "clientlab.notebook.home" to "LabHome",
            "clientlab.notebook.run" to "jdks lastRun publish published resume run serverEvidence",
            "clientlab.notebook.stats" to "Bootstrap Estimate",
            "clientlab.openloop" to "Loop OpenLoop Pause",
            "clientlab.resourcelimits" to "ResourceLimits",
            "clientlab.tasks" to "Tasks",
            "clientlab.transfer" to "Fault Operation Transfer mebibytes",
            "kotlin.time.Duration.Companion" to "milliseconds seconds",
            "org.jetbrains.kotlinx.dataframe" to "*",
            "org.jetbrains.kotlinx.dataframe.api" to "*",
        ).flatMap { (place, names) -> names.split(' ').map { "$place.$it" } }.toTypedArray()
    }
}
