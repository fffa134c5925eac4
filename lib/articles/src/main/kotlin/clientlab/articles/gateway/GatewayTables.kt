package clientlab.articles.gateway

import clientlab.*
import clientlab.gatewayload.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** One row per gateway: how many forks survived the load, how the others failed, and what they took. */
public fun Trials<GatewayLoad>.fates(): AnyFrame {
    val groups = byTreatment()
    val factors = listOf(Factor.RATE, Factor.MEMORY_MIB).filter { factor -> groups.any { it[factor] != null } }
    return dataFrameOf(
        listOf(groups.map { it.client }.toColumn("client")) +
            factors.map { factor -> groups.map { it.number(factor) }.toColumn(factor) } +
            listOf(
                groups.map { it.survivors() }.toColumn("survived"),
                groups.map { it.fate() }.toColumn("howOthersFailed"),
                groups.map { Estimate.rounded(PERCENT * it.median("answeredShare").value) }.toColumn("answeredPercent"),
                groups.map { "${it.median("osThreadsPeak")}" }.toColumn("threadsPeak"),
                groups.map { mebibytes(it) }.toColumn("memoryPeakMiB"),
            ),
    ).from(this)
}

/** `5 of 5`, of the forks that count. */
internal fun TreatmentTrials.survivors(): String = "${values("survived").count { it == 1.0 }} of ${counted.size}"

/** Whether every fork that counts answered every request. */
internal val TreatmentTrials.survived: Boolean get() = counted.isNotEmpty() && values("survived").all { it == 1.0 }

private fun TreatmentTrials.fate(): String =
    counted
        .filter { it.metric("survived") != 1.0 }
        .groupingBy(::failure)
        .eachCount()
        .entries
        .joinToString("; ") { (how, count) -> if (count == counted.size) how else "$how ($count)" }

private fun failure(trial: DataRow<TrialRow<*>>): String =
    END.find(trial["warnings"] as String)?.groupValues?.get(1) ?: "answers came too late or were wrong"

private fun mebibytes(group: TreatmentTrials): String = Estimate.rounded(group.median("anonPeakBytes").value / MIB)

private val END = Regex("The gateway ended: ([^.]*)\\.")
private const val PERCENT = 100
