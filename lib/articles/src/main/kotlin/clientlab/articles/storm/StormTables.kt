package clientlab.articles.storm

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.storm.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/**
 * One row per policy and client: the answers in each second before, during and after the surge, the seconds until the server had
 * recovered, and the requests that it saw for each that was planned. Medians over forks with 95 % intervals.
 */
public fun Trials<Storm>.stormTable(): AnyFrame =
    measured()
        .sortedBy { it.policy.length }
        .toDataFrame {
            "retries" from { it.policy }
            "client" from { it.client }
            "before" from { it.median("goodputBefore").shown() }
            "during" from { it.median("goodputDuring").shown() }
            "after" from { it.median("goodputAfter").shown() }
            "recoverySeconds" from { it.recovery() }
            "attemptsPerRequest" from { it.median("attemptsPerRequest").shown() }
            "n" from { it.counted.size }
        }.from(this)

/** What callers did when an attempt had failed. */
internal val TreatmentTrials.policy: String get() = this[Factor.RETRIES].orEmpty()

/** The policies, the simplest first: the more there is to one, the longer is its name. */
internal fun List<TreatmentTrials>.policies(): List<String> = map { it.policy }.distinct().sortedBy { it.length }

/** How many seconds that took, or in how many forks it did not come to it. */
private fun TreatmentTrials.recovery(): String {
    val seconds = values("recoveryMs").map { it / 1e3 }
    return when (seconds.size) {
        counted.size -> Bootstrap.median(seconds).shown()
        0 -> "does not"
        else -> "does not in ${counted.size - seconds.size} of ${counted.size} forks"
    }
}
