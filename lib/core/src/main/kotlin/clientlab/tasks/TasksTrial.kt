package clientlab.tasks

import clientlab.*
import clientlab.machine.*
import clientlab.probe.*
import clientlab.trial.*
import java.net.URI

/**
 * One trial of [Tasks], in this JVM: a warm-up on the same executor without a delay, the base latency, then the measured tasks. The source
 * warms up for a hundred seconds. This trial does so for [WARM_UP_TASKS] tasks, after which a call still gets a little faster, or until
 * their series is steady. How fast it has become is in every trial, as `baseLatencyMs`.
 */
internal class TasksTrial(private val scope: TrialScope, private val workload: Tasks, private val warmUpTasks: Int = WARM_UP_TASKS) {
    private val spec = scope.spec
    private val executor = TaskExecutor.named(spec.treatment[Factor.EXECUTOR].orEmpty())
    private val recorded = spec.treatment[Factor.INSTRUMENT] == Tasks.JFR
    private val processors = Runtime.getRuntime().availableProcessors()

    fun run() {
        scope.keep(trial(warmUpTasks, 1, delayMs = 0, warmup = true))
        val warmUp = if (Start.of(spec.treatment) == Start.Steady) untilSteady() else LoadWarmUp()
        val base = mapOf(TasksMetrics.baseLatencyMs to nearestRank(oneAfterAnother(BASE_CALLS, at(0)), 0.5))
        System.gc()
        val delayMs = spec.treatment.number(Factor.DELAY_MS)
        val trial = trial(scope.number(Factor.TASKS), scope.number(Factor.CALLS), delayMs, false, base + warmUp.numbers(), warmUp)
        scope.keep(trial.copy(series = warmUp.series.takeIf { it.size > 0 }?.judged()))
    }

    private fun untilSteady(): LoadWarmUp =
        SeriesRecorder(spec.server).use { recorder ->
            var failure: String? = null
            val steady = recorder.warmUp(workload.steadyWithin) {
                val result = runTasks(executor, warmUpTasks, 1, at(0), recorder::answered)
                if (result.failed > 0) failure = "${result.failed} times. The first: ${result.example}"
            }
            LoadWarmUp(recorder.stop(), steady, failure)
        }

    private fun trial(
        tasks: Int,
        calls: Int,
        delayMs: Long,
        warmup: Boolean,
        others: Numbers = mapOf(),
        before: LoadWarmUp = LoadWarmUp(),
    ): Trial {
        val probe = if (recorded) PinningProbe() else null
        scope.server.reset()
        val machine = MachineProbe.read()
        val (result, work) = Work.measure { runTasks(executor, tasks, calls, at(delayMs)) }
        val used = machine?.let { MachineProbe.read()?.shareSince(it) }
        val evidence = scope.server.evidence()
        val pinning = probe?.use { it.finish() }
        val seconds = result.durationMs / 1e3 * processors
        val numbers =
            buildMap {
                putAll(others)
                tellRequests(result, evidence)
                tellServer(evidence, seconds)
                tell(TasksMetrics.processors, processors)
                tell(TasksMetrics.executorLimit, executor.limit)
                tellWork(work)
                tell(TasksMetrics.cpuShare, work.cpuSeconds / seconds)
                tell(CommonMetrics.rssPeakBytes, work.after.rssPeakBytes)
                tell(TasksMetrics.machineShare, used)
                tell(TasksMetrics.pinnedEvents, pinning?.events)
                tell(TasksMetrics.pinnedMs, pinning?.ms)
                tell(TasksMetrics.submitFailures, pinning?.submitFailures)
            }
        val pinned = pinning?.reasons.orEmpty().map { (why, count) -> "Pinned $count times: $why." }
        val wrong = listOfNotNull(before.failure?.let { "The warm-up failed $it" })
        val judgement = judgeTasks(result, evidence, delayMs).and(wrong, pinned + before.warnings(workload.steadyWithin))
        return scope.trial(judgement, numbers, evidence, warmup).copy(errors = result.errors)
    }

    private fun MutableMap<Metric, Double>.tellServer(evidence: Evidence, seconds: Double) {
        tell(TasksMetrics.connectionsPeak, evidence.peakConnections)
        tell(CommonMetrics.serverOvershootP99Ms, evidence.overshootMs?.p99)
        val cpuSeconds = evidence.cpuMs?.div(1e3)
        tell(TasksMetrics.serverCpuSeconds, cpuSeconds)
        // The processors of a remote server are not these.
        if (!spec.server.remote) tell(TasksMetrics.serverCpuShare, cpuSeconds?.div(seconds))
    }

    /** Where a page of 100 links comes after [delayMs] milliseconds: source 002's call. */
    private fun at(delayMs: Long): URI = spec.server.baseUrl.resolve("/v1/crawl/delay/$delayMs")

    private companion object {
        private const val WARM_UP_TASKS = 2_000
        private const val BASE_CALLS = 100
    }
}

/**
 * Judges tasks by what client and server both counted: complete if every call got a right answer, otherwise invalid. There are no waves
 * here: an executor holds tasks back by design, and that is what is measured.
 */
internal fun judgeTasks(result: BurstResult, evidence: Evidence, delayMs: Long = 0): Judgement {
    val asked = result.requests
    val wrong =
        reasons(evidence) {
            add(result.failed > 0) { "${result.failed} of $asked calls failed: ${spoken(result.errors)}. The first: ${result.example}" }
            answeredEarly()
            answeredTooSoon(result.latenciesMs, delayMs)
            arrivedOthers(asked, "made $asked calls")
            add(result.failed == 0 && evidence.answeredOk != asked.toLong()) {
                "The client counted $asked answers and the server wrote ${evidence.answeredOk}."
            }
            overflowed()
        }
    return Judgement.of(wrong)
}
