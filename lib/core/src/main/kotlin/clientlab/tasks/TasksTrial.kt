package clientlab.tasks

import clientlab.Evidence
import clientlab.Factor
import clientlab.Trial
import clientlab.burst.clientMetrics
import clientlab.machine.MachineProbe
import clientlab.nearestRank
import clientlab.probe.Pinning
import clientlab.probe.PinningProbe
import clientlab.probe.ProcessProbe
import clientlab.probe.ServerProbe
import clientlab.trial.TrialSpec
import clientlab.trial.after
import java.net.URI

/**
 * One trial of [Tasks], in this JVM: a warm-up on the same executor without a delay, the base latency, then the measured tasks.
 *
 * The warm-up is shorter than the source's hundred seconds: [WARM_UP_TASKS] tasks, after which a call still gets a little faster. What was
 * reached is in every trial, as `baseLatencyMs`.
 */
internal class TasksTrial(
    private val spec: TrialSpec,
    private val workload: Tasks,
    private val server: ServerProbe,
    private val warmUpTasks: Int = WARM_UP_TASKS,
) {
    private val executor = TaskExecutor.named(spec.treatment[Factor.EXECUTOR].orEmpty())
    private val tasks = spec.treatment.number(Factor.TASKS).toInt()
    private val calls = spec.treatment.number(Factor.CALLS).toInt()
    private val recorded = spec.treatment[Factor.INSTRUMENT] == Tasks.JFR
    private val processors = Runtime.getRuntime().availableProcessors()

    fun run(keep: (Trial) -> Unit) {
        keep(trial(warmUpTasks, 1, delayMs = 0, warmup = true, mapOf()))
        val base = mapOf("baseLatencyMs" to nearestRank(oneAfterAnother(BASE_CALLS, at(0)), 0.5))
        System.gc()
        keep(trial(tasks, calls, spec.treatment.number(Factor.DELAY_MS), warmup = false, base))
    }

    private fun trial(tasks: Int, calls: Int, delayMs: Long, warmup: Boolean, others: Map<String, Double>): Trial {
        val probe = if (recorded) PinningProbe() else null
        server.reset()
        val machine = MachineProbe.read()
        val before = ProcessProbe.read()
        val result = runTasks(executor, tasks, calls, at(delayMs))
        val after = ProcessProbe.read()
        val used = machine?.let { MachineProbe.read()?.shareSince(it) }
        val evidence = server.evidence()
        val pinning = probe?.use { it.finish() }
        val seconds = result.durationMs / 1e3 * processors
        val metrics =
            buildMap {
                putAll(others)
                putAll(clientMetrics(result))
                putAll(serverMetrics(evidence, seconds))
                put("processors", processors.toDouble())
                executor.limit?.let { put("executorLimit", it.toDouble()) }
                put("cpuSeconds", after.cpuSeconds - before.cpuSeconds)
                put("cpuShare", (after.cpuSeconds - before.cpuSeconds) / seconds)
                put("allocatedBytes", (after.allocatedBytes - before.allocatedBytes).toDouble())
                after.rssPeakBytes?.let { put("rssPeakBytes", it.toDouble()) }
                used?.let { put("machineShare", it) }
                pinning?.let { putAll(pinningMetrics(it)) }
            }
        val judgement = judgeTasks(result, evidence, delayMs)
        return Trial(
            experiment = spec.experiment,
            round = spec.round,
            treatment = spec.treatment,
            warmup = warmup,
            outcome = judgement.outcome,
            reasons = judgement.reasons,
            warnings = judgement.warnings + pinning?.reasons.orEmpty().map { (why, count) -> "Pinned $count times: $why." },
            metrics = metrics,
            errors = result.errors,
            evidence = evidence,
        )
    }

    private fun clientMetrics(result: TasksResult): Map<String, Double> =
        buildMap {
            put("requests", result.asked.toDouble())
            put("failed", result.failed.toDouble())
            put("durationMs", result.durationMs)
            if (result.latenciesMs.isNotEmpty()) {
                put("latencyP50Ms", nearestRank(result.latenciesMs, 0.50))
                put("latencyP99Ms", nearestRank(result.latenciesMs, 0.99))
                put("latencyMaxMs", result.latenciesMs.last())
            }
        }

    private fun serverMetrics(evidence: Evidence, seconds: Double): Map<String, Double> =
        buildMap {
            put("inFlightPeak", evidence.peakInFlight.toDouble())
            put("connectionsOpened", evidence.connectionsOpened.toDouble())
            put("connectionsPeak", evidence.peakConnections.toDouble())
            evidence.overshootMs?.p99?.let { put("serverOvershootP99Ms", it) }
            evidence.cpuMs?.let {
                put("serverCpuSeconds", it / 1e3)
                // Of another machine's processors it would be no share of these.
                if (!spec.server.remote) put("serverCpuShare", it / 1e3 / seconds)
            }
        }

    private fun pinningMetrics(pinning: Pinning): Map<String, Double> =
        mapOf(
            "pinnedEvents" to pinning.events.toDouble(),
            "pinnedMs" to pinning.ms,
            "submitFailures" to pinning.submitFailures.toDouble(),
        )

    private fun at(delayMs: Long): URI = spec.server.baseUrl.resolve(crawlPath(delayMs))

    private companion object {
        private const val WARM_UP_TASKS = 2_000
        private const val BASE_CALLS = 100
    }
}
