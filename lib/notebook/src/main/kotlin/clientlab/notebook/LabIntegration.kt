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
        val IMPORTS =
            arrayOf(
                "clientlab.Arrivals",
                "clientlab.Datetime",
                "clientlab.Experiment",
                "clientlab.Factor",
                "clientlab.Payload",
                "clientlab.Peer",
                "clientlab.Precision",
                "clientlab.Protocol",
                "clientlab.Shard",
                "clientlab.Start",
                "clientlab.percent",
                "clientlab.audit.Audit",
                "clientlab.burst.BackgroundLoad",
                "clientlab.burst.Burst",
                "clientlab.burst.Dispatch",
                "clientlab.burst.Instrument",
                "clientlab.burst.Server",
                "clientlab.client.BlockingCall",
                "clientlab.client.BlockingSession",
                "clientlab.client.CallerThreads",
                "clientlab.client.Conditions",
                "clientlab.client.Reply",
                "clientlab.client.Request",
                "clientlab.client.Session",
                "clientlab.client.SuspendingCall",
                "clientlab.client.blockingClient",
                "clientlab.client.ownClient",
                "clientlab.client.suspendingClient",
                "clientlab.closedloop.ClosedLoop",
                "clientlab.gatewayload.GatewayLoad",
                "clientlab.gatewayload.bounded",
                "clientlab.idle.IdleTasks",
                "clientlab.idle.Mechanism",
                "clientlab.idle.MemoryInstrument",
                "clientlab.notebook.campaign.campaign",
                "clientlab.notebook.catalogue.catalogue",
                "clientlab.notebook.catalogue.clients",
                "clientlab.notebook.catalogue.ioApis",
                "clientlab.notebook.catalogue.table",
                "clientlab.notebook.catalogue.versions",
                "clientlab.notebook.claim.Bound",
                "clientlab.notebook.claim.Claim",
                "clientlab.notebook.claim.Part",
                "clientlab.notebook.claim.StatedVerdicts",
                "clientlab.notebook.claim.VerdictOutcome",
                "clientlab.notebook.claim.ledger",
                "clientlab.notebook.claim.verdict",
                "clientlab.notebook.claim.verdicts",
                "clientlab.notebook.figure.aaChart",
                "clientlab.notebook.figure.driftChart",
                "clientlab.notebook.figure.inFlightChart",
                "clientlab.notebook.figure.memoryChart",
                "clientlab.notebook.figure.stackChart",
                "clientlab.notebook.figure.threadChart",
                "clientlab.notebook.figure.threadsByInFlightChart",
                "clientlab.notebook.figure.waterfallChart",
                "clientlab.notebook.frame.Trials",
                "clientlab.notebook.frame.activeUnparkedNew",
                "clientlab.notebook.frame.byTreatment",
                "clientlab.notebook.frame.client",
                "clientlab.notebook.frame.counted",
                "clientlab.notebook.frame.dictionary",
                "clientlab.notebook.frame.durationMs",
                "clientlab.notebook.frame.inFlight",
                "clientlab.notebook.frame.machine",
                "clientlab.notebook.frame.metric",
                "clientlab.notebook.frame.noiseFloors",
                "clientlab.notebook.frame.notes",
                "clientlab.notebook.frame.outcome",
                "clientlab.notebook.frame.pairs",
                "clientlab.notebook.frame.provenance",
                "clientlab.notebook.frame.published",
                "clientlab.notebook.frame.round",
                "clientlab.notebook.frame.run",
                "clientlab.notebook.frame.summary",
                "clientlab.notebook.frame.threadsBlocked",
                "clientlab.notebook.frame.threadsNew",
                "clientlab.notebook.frame.threadsOf",
                "clientlab.notebook.frame.timeline",
                "clientlab.notebook.home.LabHome",
                "clientlab.notebook.run.jdks",
                "clientlab.notebook.run.lastRun",
                "clientlab.notebook.run.publish",
                "clientlab.notebook.run.published",
                "clientlab.notebook.run.resume",
                "clientlab.notebook.run.run",
                "clientlab.notebook.run.serverEvidence",
                "clientlab.notebook.stats.Bootstrap",
                "clientlab.notebook.stats.Estimate",
                "clientlab.notebook.stats.Slope",
                "clientlab.openloop.Loop",
                "clientlab.openloop.OpenLoop",
                "clientlab.openloop.Pause",
                "clientlab.resourcelimits.ResourceLimits",
                "clientlab.tasks.Tasks",
                "clientlab.transfer.Fault",
                "clientlab.transfer.Operation",
                "clientlab.transfer.Transfer",
                "clientlab.transfer.mebibytes",
                "kotlin.time.Duration.Companion.milliseconds",
                "kotlin.time.Duration.Companion.seconds",
                "org.jetbrains.kotlinx.dataframe.*",
                "org.jetbrains.kotlinx.dataframe.api.*",
            )
    }
}
