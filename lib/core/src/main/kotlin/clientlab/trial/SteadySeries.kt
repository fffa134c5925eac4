package clientlab.trial

import clientlab.*
import clientlab.steady.*

/** This series with its shape, and from where on it is steady. */
internal fun Series.judged(): Series {
    val state = steadyState() ?: return this
    return copy(shape = state.shape.label, steadyFrom = state.from)
}

/** Whether this series, of a load that goes on, is steady by now. */
internal fun Series.isSteady(): Boolean = steadyState()?.from != null

/** By the client's processor time per answer, the median latency and the compilers; null where the series is too short to say. */
private fun Series.steadyState(): SteadyState? {
    if (size < SteadyState.TAIL) return null
    val compilers = busy(Series.COMPILERS).takeIf { it.size == size }?.toDoubleArray()
    return SteadyState.of(listOf(requestCpuMs, p50Ms).filter { it.size == size }.map(::numbers), compilers)
}

private fun numbers(values: List<Double?>) = DoubleArray(values.size) { values[it] ?: Double.NaN }
