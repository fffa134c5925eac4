package clientlab.trial

import clientlab.*

/** The metrics of one workload: those of [common] that it writes, and each that it declares with [metric]. */
internal abstract class MetricList(vararg common: Metric) {
    private val declared = common.toMutableList()

    /** All of them, the common ones first. */
    val list: List<Metric> get() = declared

    /** Declares a metric that no other workload writes. */
    protected fun metric(name: String, unit: String, meaning: String): Metric = Metric(name, unit, meaning).also { declared += it }
}
