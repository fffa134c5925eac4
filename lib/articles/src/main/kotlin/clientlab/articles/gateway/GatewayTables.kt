package clientlab.articles.gateway

import clientlab.*
import clientlab.articles.*
import clientlab.gatewayload.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/** One row per gateway: how many forks survived the load, how the others failed, and what they took. */
public fun Trials<GatewayLoad>.fates(): AnyFrame {
    val groups = byTreatment()
    return groups
        .toDataFrame {
            "client" from { it.client }
            listOf(Factor.RATE, Factor.MEMORY_MIB).filter { factor -> groups.any { it[factor] != null } }.forEach { factor ->
                factor from { it.number(factor) }
            }
            "survived" from { group -> "${group.values("survived").count { it == 1.0 }} of ${group.counted.size}" }
            "howOthersFailed" from { it.fate() }
            "answeredPercent" from { Estimate.rounded(100 * it.median("answeredShare").value) }
            "threadsPeak" from { "${it.median("osThreadsPeak")}" }
            "memoryPeakMiB" from { it.peakMebibytes() }
        }.from(this)
}

private fun TreatmentTrials.fate(): String =
    counted
        .filter { it.metric("survived") != 1.0 }
        .groupingBy { END.find(it["warnings"] as String)?.groupValues?.get(1) ?: "answers came too late or were wrong" }
        .eachCount()
        .entries
        .joinToString("; ") { (how, count) -> if (count == counted.size) how else "$how ($count)" }

private val END = Regex("The gateway ended: ([^.]*)\\.")
