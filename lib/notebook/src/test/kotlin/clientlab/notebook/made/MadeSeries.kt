package clientlab.notebook.made

import clientlab.*
import clientlab.probe.*

/**
 * Loads over time made by hand: half seconds of 250 answers, young at first and steady from [steadyAfter] seconds on, or never. The
 * compilers are busy while it is young and rest when it is steady. `firstP99Ms` is the 99th percentile of its first second, and
 * `pileUpP99Ms` that of the half second after it, where calls pile up.
 */
class MadeSeries(
    private val steadyAfter: Double?,
    private val seconds: Int = 60,
    private val firstP99Ms: Double = 400.0,
    private val pileUpP99Ms: Double? = null,
    private val youngCpuMs: Double = 2.0,
    private val compilers: Double = 0.8,
    private val shape: String? = if (steadyAfter == null) "no steady state" else "warm-up",
) {
    private val n = seconds * 2
    private val steadyFrom = steadyAfter?.let { (it * 2).toInt() }

    fun series(): Series = Series(
        seconds = List(n) { 0.5 },
        answers = List(n) { ANSWERS },
        p50Ms = List(n) { if (isYoung(it)) 7.0 else 6.0 },
        p99Ms = List(n) {
            if (it < 2) {
                firstP99Ms
            } else if (it == 2 && pileUpP99Ms != null) {
                pileUpP99Ms
            } else if (isYoung(it)) {
                20.0
            } else {
                8.0
            }
        },
        cpuMs = mapOf(
            ThreadKind.Client.label to List(n) { ANSWERS * if (isYoung(it)) youngCpuMs else STEADY_CPU_MS },
            ThreadKind.Harness.label to List(n) { 25.0 },
            ThreadKind.Compilers.label to List(n) { if (isYoung(it)) compilers * 500 else 0.0 },
            ThreadKind.Collector.label to List(n) { 5.0 },
            ThreadKind.Other.label to List(n) { 1.0 },
        ),
        allocatedKb = List(n) { 4_000L },
        collections = List(n) { 1 },
        classesLoaded = List(n) { if (isYoung(it)) 50 else 0 },
        compiledMethods = List(n) { 1_000 + it },
        connectionsOpened = List(n) { if (it == 0) 10 else 0 },
        shape = shape,
        steadyFrom = steadyFrom,
    )

    private fun isYoung(interval: Int) = steadyFrom == null || interval < steadyFrom

    companion object {
        const val ANSWERS: Int = 250
        const val STEADY_CPU_MS: Double = 0.5

        /** [forks] trials of [client] under a load of 500 requests a second; null for [series] as in runs that kept none. */
        fun forks(
            client: String,
            start: String = "cold",
            forks: Int = 8,
            outcome: Outcome = Outcome.Complete,
            metrics: (round: Int) -> Map<String, Double> = { emptyMap() },
            series: (round: Int) -> MadeSeries?,
        ): List<Trial> = List(forks) { round ->
            Trial(
                experiment = "warmup",
                round = round,
                treatment = Treatment(
                    Factor.CLIENT to client,
                    Factor.RATE to 500,
                    Factor.SECONDS to 60,
                    Factor.DELAY_MS to 5,
                    Factor.ARRIVALS to "constant",
                    Factor.LOOP to "open",
                    Factor.START to start,
                ),
                warmup = false,
                outcome = outcome,
                metrics = mapOf("latencyP99Ms" to 30.0, "requestCpuMs" to 1.0) + metrics(round),
                series = series(round)?.series(),
            )
        }
    }
}
