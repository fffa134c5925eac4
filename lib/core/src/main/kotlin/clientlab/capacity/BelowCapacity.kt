package clientlab.capacity

import clientlab.*

/** A load below the capacity that a fork found, and what it gave there. */
internal enum class BelowCapacity(val share: Double, private val prefix: String, private val words: String) {
    Half(0.5, "half", "half of"),
    NineTenths(0.9, "nineTenths", "nine tenths of"),
    ;

    val latencyP50Ms = metric("LatencyP50Ms", "ms", "median latency from the planned time")
    val latencyP99Ms = metric("LatencyP99Ms", "ms", "latency from the planned time, 99th percentile")
    val answeredShare = metric("AnsweredShare", "", "requests answered rightly, of those that count")
    val generatorLagP99Ms = metric("GeneratorLagP99Ms", "ms", "how late the generator passed a request on, 99th percentile")
    val requestCpuMs = metric("RequestCpuMs", "ms", "processor time of the client's threads for each answer")

    val metrics: List<Metric> get() = listOf(latencyP50Ms, latencyP99Ms, answeredShare, generatorLagP99Ms, requestCpuMs)

    private fun metric(name: String, unit: String, meaning: String) =
        Metric(prefix + name, unit, "with $words the rate that this fork found: $meaning")
}
