package clientlab.notebook.chart

import java.math.BigDecimal
import java.math.MathContext
import java.util.Locale
import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.ln
import kotlin.math.log10
import kotlin.math.max
import kotlin.math.pow

/** The positions of values on one axis of a chart, and the visible range of that axis. */
internal sealed interface Placement {
    /** The position of [value] in the axis's unit, or null if it cannot be drawn. */
    fun place(value: Any?): Double?

    /** The axis as shown in panel [panel]: from, to, in transformed units. */
    fun range(panel: Int): Range

    fun scale(): Drawing.Scale

    /** Converts a position to transformed units, in which equal distances look equal. */
    fun forth(place: Double): Double = place

    fun back(transformed: Double): Double = transformed

    /** The place [pixels] further along the axis of [panel], which is [length] pixels long. */
    fun shift(place: Double, pixels: Double, panel: Int, length: Double): Double =
        range(panel).let { back(forth(place) + pixels / length * (it.to - it.from)) }

    /** How far along the axis of [panel] the place stands: 0 at its beginning, 1 at its end. */
    fun share(place: Double, panel: Int): Double = range(panel).let { (forth(place) - it.from) / (it.to - it.from) }

    data class Range(val from: Double, val to: Double)
}

/** Categories at 0, 1, 2, …; the first is at the top of a vertical axis, with [headroom] above it for the texts of reference lines. */
internal class CategoryPlacement(private val axis: CategoryAxis, private val vertical: Boolean, private val headroom: Double) : Placement {
    private val count = axis.order.size
    private val places = axis.order.withIndex().associate { (i, name) -> name to (if (vertical) count - 1 - i else i).toDouble() }

    override fun place(value: Any?): Double? = places[value.toString()]

    override fun range(panel: Int) = Placement.Range(-0.6, max(count, 1) - 0.4 + if (vertical) headroom else 0.0)

    override fun scale(): Drawing.Scale {
        val names = if (vertical) axis.order.reversed() else axis.order
        val limits = range(0)
        val breaks = names.indices.map { it.toDouble() }
        return Drawing.Scale(axis.label, NumberScale.LINEAR, limits.from to limits.to, breaks, names, categories = true)
    }
}

/**
 * Numbers, linear or logarithmic.
 *
 * @param values what each panel must show.
 * @param room the room that each panel needs beyond a value for its label, as a share of the axis.
 * @param before the room before zero, as a share of the axis, so that a mark at zero is drawn in full.
 */
internal class NumberPlacement(
    private val axis: NumberAxis,
    values: List<List<Double>>,
    room: List<List<Pair<Double, Double>>>,
    private val before: Double,
    private val free: Boolean,
) : Placement {
    private val positive = values.flatten().filter { it > 0.0 }
    private val log = axis.scale != NumberScale.LINEAR
    private val doublings = axis.scale == NumberScale.LOG2

    /** Where a logarithmic axis draws a zero: half a decade (or two doublings) below the smallest number. */
    private val standIn = run {
        val least = positive.minOrNull() ?: 1.0
        if (log && values.flatten().any { it == 0.0 }) least / (if (doublings) 4.0 else 3.0) else 0.0
    }
    private val shown = axis.breaks.orEmpty().map { it.toDouble() }
    private val ranges: List<Placement.Range> = values.indices.map { extent(values[it], room[it]) }.let { panels ->
        if (free) panels else panels.map { Placement.Range(panels.minOf { it.from }, panels.maxOf { it.to }) }
    }

    override fun place(value: Any?): Double? {
        val number = value.asNumber() ?: return null
        return if (log && number == 0.0) standIn else number
    }

    override fun range(panel: Int): Placement.Range = ranges.getOrElse(panel) { Placement.Range(0.0, 1.0) }

    override fun forth(place: Double): Double = when (axis.scale) {
        NumberScale.LINEAR -> place
        NumberScale.LOG2 -> ln(place) / ln(2.0)
        NumberScale.LOG10 -> log10(place)
    }

    override fun back(transformed: Double): Double = when (axis.scale) {
        NumberScale.LINEAR -> transformed
        NumberScale.LOG2 -> 2.0.pow(transformed)
        NumberScale.LOG10 -> 10.0.pow(transformed)
    }

    override fun scale(): Drawing.Scale {
        val limits = if (free) null else range(0).let { back(it.from) to back(it.to) }
        val breaks = breaks()
        val labels = breaks?.map { if (it == standIn) "0" else number(it) }
        return Drawing.Scale(axis.label, axis.scale, limits, breaks, labels, categories = false)
    }

    private fun extent(values: List<Double>, room: List<Pair<Double, Double>>): Placement.Range {
        val all = (values.mapNotNull(::place) + shown.filter { !log || it > 0.0 }).map(::forth)
        val zero = !log && axis.zero
        val low = if (zero) minOf(0.0, all.minOrNull() ?: 0.0) else all.minOrNull() ?: 0.0
        val high = max(all.maxOrNull() ?: 1.0, if (zero) 0.0 else low)
        val span = (high - low).takeIf { it > 0.0 } ?: 1.0
        val edge = if (high > low || !zero) high + span * EDGE else 1.0
        val start = if (zero && low >= 0.0) 0.0 else low - span * EDGE
        // A label needs a share of the axis that grows with the axis: to >= (value - start * share) / (1 - share).
        val to = room.mapNotNull { (value, share) -> place(value)?.let { (forth(it) - start * share) / (1 - share) } }.maxOrNull() ?: edge
        val end = max(edge, to)
        return Placement.Range(if (start == 0.0 && zero) -end * before / (1 - before) else start, end)
    }

    private fun breaks(): List<Double>? {
        axis.breaks?.let { given -> return given.map { if (log && it.toDouble() == 0.0) standIn else it.toDouble() }.distinct() }
        if (!log || ranges.isEmpty()) return null
        val low = positive.minOrNull() ?: return null
        val high = back(ranges.maxOf { it.to })
        val steps = when {
            doublings -> powersOfTwo(low, high)
            high / low > 3_000 -> decades(low, high, listOf(1.0))
            high / low > 40 -> decades(low, high, listOf(1.0, 3.0))
            else -> decades(low, high, listOf(1.0, 2.0, 5.0))
        }
        return if (standIn > 0.0) listOf(standIn) + steps else steps
    }

    private fun decades(low: Double, high: Double, steps: List<Double>): List<Double> =
        (floor(log10(low)).toInt()..ceil(log10(high)).toInt())
            .flatMap { power -> steps.map { it * 10.0.pow(power) } }
            .filter { it >= low * 0.95 && it <= high }

    private fun powersOfTwo(low: Double, high: Double): List<Double> {
        val powers = floor(ln(low) / ln(2.0)).toInt()..floor(ln(high) / ln(2.0)).toInt()
        return powers.step(if (powers.count() > 9) 2 else 1).map { 2.0.pow(it) }.filter { it >= low * 0.95 }
    }

    private companion object {
        const val EDGE = 0.04

        /** A number as a reader writes it: 1,000 and 0.25 and 3. */
        fun number(value: Double): String =
            if (value == floor(value) && value < 1e15) {
                "%,d".format(Locale.ROOT, value.toLong())
            } else {
                BigDecimal(value).round(MathContext(3)).stripTrailingZeros().toPlainString()
            }
    }
}
