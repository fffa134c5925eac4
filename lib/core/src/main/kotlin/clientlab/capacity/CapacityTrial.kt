package clientlab.capacity

import clientlab.*
import clientlab.client.*
import clientlab.trial.*
import kotlin.math.roundToInt

/** One trial of a [Capacity], in this JVM: a warm-up and all probes of the search through one session. */
internal class CapacityTrial(private val scope: TrialScope, private val workload: Capacity) {
    private val protocol = scope.treatment[Factor.PROTOCOL]?.let(Protocol::of) ?: Protocol.Http1
    private val metrics = CapacityMetrics.of(workload.by)

    fun run() {
        scope.client().open(Conditions(scope.spec.server.url(protocol), workload.mostInFlight, protocol)).use { session ->
            val loads = LoadProbes(scope, session, workload)
            val warmUp = loads.warm()
            val found = workload.search.search(loads::at)
            val below = below(loads, found)
            val probe = found.probes.lastOrNull { it.level == found.capacity && it.passed == true }
            val evidence = (probe ?: found.probes.last()).evidence
            val series = warmUp.series.before(Series()).judged()
            val warnings = warnings(found, loads.leaked) + warmUp.warnings(workload.steadyWithin)
            val judgement = Judgement.of(wrong(warmUp, found), warnings)
            scope.keep(
                scope
                    .trial(judgement, numbers(found, probe) + below + warmUp.numbers(), evidence)
                    .copy(errors = found.failure()?.result?.errors.orEmpty(), series = series)
                    .copy(curves = mapOf("probes" to found.probes.map(::point))),
            )
        }
    }

    /** What stopped the search: the last failed probe at the lower end of what failed. */
    private fun Found<LoadProbe>.failure() = probes.lastOrNull { it.level == beyond && it.passed == false }

    private fun below(loads: LoadProbes, found: Found<LoadProbe>): Numbers =
        buildMap {
            val capacity = found.capacity?.takeIf { found.ending in LIMITS && workload.by == SearchFor.Rate } ?: return@buildMap
            for (below in BelowCapacity.entries) {
                val load = loads.at((capacity * below.share).roundToInt(), workload.belowLength)
                tell(below.latencyP50Ms, nearestRank(load.latenciesMs, MEDIAN))
                tell(below.latencyP99Ms, load.p99Ms)
                tell(below.answeredShare, load.share)
                tell(below.generatorLagP99Ms, load.generatorLagMs)
                tell(below.requestCpuMs, load.requestCpuMs)
            }
        }

    private fun point(probe: LoadProbe): List<Double> =
        listOf(probe.level.toDouble(), probe.p99Ms, probe.share, probe.passed?.let { if (it) PASSED else FAILED } ?: UNDECIDED)

    private fun numbers(found: Found<LoadProbe>, probe: LoadProbe?): Numbers =
        buildMap {
            when (found.ending) {
                Ending.Found, Ending.Unsettled -> tell(metrics.capacity, found.capacity)
                Ending.NonePassed -> tell(metrics.capacity, 0)
                Ending.AllPassed, Ending.Undecided -> tell(metrics.atLeast, found.capacity)
            }
            tell(metrics.beyond, found.beyond)
            tell(CapacityMetrics.probes, found.probes.size)
            if (probe != null) tellProbe(probe)
        }

    private fun MutableMap<Metric, Double>.tellProbe(probe: LoadProbe) {
        val result = probe.result
        tell(CommonMetrics.requests, result.planned.size)
        tell(CommonMetrics.failed, result.errors.values.sum())
        tellLatencies(probe.latenciesMs)
        tell(CommonMetrics.answeredShare, probe.share)
        tell(CommonMetrics.sendLagP99Ms, nearestRank(msBetween(result.planned, result.sent), P99))
        tell(CommonMetrics.inFlightPeak, probe.evidence.peakInFlight)
        tellConnections(probe.evidence)
        tell(CommonMetrics.cpuSeconds, probe.work.cpuSeconds - result.generatorCpuSeconds)
        tell(CommonMetrics.requestCpuMs, probe.requestCpuMs)
        tellKinds(probe.work)
        tell(CommonMetrics.requestsPerSecond, result.answered / (result.done.max() / 1e9))
    }

    private fun wrong(warmUp: LoadWarmUp, found: Found<LoadProbe>): List<String> =
        buildList {
            warmUp.failure?.let { add("The warm-up was not answered at all. The first failure: $it.") }
            if (found.capacity == null && found.ending == Ending.Undecided) add("$GENERATOR before any load met the criterion.")
            if (found.capacity == null &&
                found.ending == Ending.Unsettled
            ) {
                add("No load met the criterion, and the probes contradicted each other.")
            }
            val probe = found.probes.firstNotNullOfOrNull { probe -> against(probe).ifEmpty { null } }
            addAll(probe.orEmpty())
        }

    private fun against(probe: LoadProbe): List<String> =
        reasons(probe.evidence) {
            answeredEarly()
            rejected()
            answeredFewer(probe.result.answered)
        }

    private fun warnings(found: Found<LoadProbe>, leaked: Boolean): List<String> =
        buildList {
            when (found.ending) {
                Ending.Undecided -> add("$GENERATOR: the client's capacity is at least ${found.capacity}.")

                Ending.AllPassed -> add("The highest load met the criterion: the client's capacity is at least ${found.capacity}.")

                Ending.NonePassed -> add("Even a load of ${found.beyond} did not meet the criterion.")

                Ending.Unsettled -> add(
                    "${found.probes.size} probes contradicted each other: by majority ${found.capacity} met the criterion.",
                )

                Ending.Found -> Unit
            }
            if (leaked) add("Requests of one probe were still in flight when the next one began.")
        }

    private companion object {
        private const val MEDIAN = 0.5
        private const val P99 = 0.99

        /** What a search ends with where the client's limit was met. */
        private val LIMITS = setOf(Ending.Found, Ending.Unsettled)
        private const val PASSED = 1.0
        private const val FAILED = 0.0
        private const val UNDECIDED = -1.0
        private const val GENERATOR = "The generator was the limit"
    }
}
