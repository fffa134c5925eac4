package clientlab

/**
 * A number that a trial may have: a column of the frame.
 *
 * @property name camelCase, with its unit at the end.
 * @property unit of the number; empty for a count.
 * @property meaning in half a sentence.
 */
public data class Metric(
    val name: String,
    val unit: String,
    val meaning: String,
)
