package clientlab.notebook.made

import clientlab.*

/** Transfers made by hand: six forks each, every one a little different from the one before. */
internal object MadeTransfers {
    private const val SIZE = 128L shl 20

    /** Six forks of [operation] by [means]; metrics in ms vary by a thousandth from round to round. */
    fun forks(operation: String, means: String, vararg metrics: Pair<String, Double>, bytes: Long = SIZE): List<Trial> =
        List(6) { round ->
            trial(round, Treatment(Factor.OPERATION to operation, Factor.IO_API to means, Factor.BYTES to bytes), metrics.toMap())
        }

    /** Six forks of four downloads at once by [client], which take [ms]. */
    fun overHttp(client: String, ms: Double): List<Trial> =
        List(6) { round ->
            val treatment =
                Treatment(Factor.CLIENT to client, Factor.OPERATION to "download", Factor.IN_FLIGHT to 4, Factor.BYTES to (32L shl 20))
            trial(round, treatment, mapOf("iterationMedianMs" to ms, "throughputMiBs" to 128_000 / ms))
        }

    private fun trial(round: Int, treatment: Treatment, metrics: Map<String, Double>) =
        Trial(
            experiment = "made",
            round = round,
            treatment = treatment,
            warmup = false,
            outcome = Outcome.Complete,
            metrics = metrics.mapValues { (name, value) -> if (name.endsWith("Ms")) value * (1 + round / 1000.0) else value },
            curves = mapOf("iterationMs" to listOf(listOf(1.0, 50.0), listOf(2.0, 20.0 + round), listOf(3.0, 20.0))),
        )
}
