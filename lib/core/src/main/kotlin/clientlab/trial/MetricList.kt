package clientlab.trial

import clientlab.*
import kotlin.properties.PropertyDelegateProvider

/** The metrics of one workload: the [common] ones that it writes, then its own, each as in `val openMs by ms("opening the session")`. */
internal abstract class MetricList(common: CommonMetrics.() -> List<Metric>) {
    private val declared = CommonMetrics.common().toMutableList()

    /** All of them, the common ones first. */
    val list: List<Metric> get() = declared

    /** Declares a metric that no other workload writes, under the name of its property. */
    protected fun metric(unit: String, meaning: String): PropertyDelegateProvider<Any?, Lazy<Metric>> =
        PropertyDelegateProvider { _, property -> lazyOf(Metric(property.name, unit, meaning).also { declared += it }) }

    protected fun count(meaning: String) = metric("", meaning)

    protected fun ms(meaning: String) = metric("ms", meaning)

    protected fun bytes(meaning: String) = metric("bytes", meaning)
}
