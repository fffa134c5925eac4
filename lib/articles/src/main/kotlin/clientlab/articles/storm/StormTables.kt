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
            "recoverySeconds" from { if (it.recovers) Bootstrap.median(it.recoverySeconds()).shown() else "does not" }
            "attemptsPerRequest" from { it.median("attemptsPerRequest").shown() }
            "n" from { it.counted.size }
        }.from(this)

/** What callers did when an attempt had failed. */
internal val TreatmentTrials.policy: String get() = this[Factor.RETRIES].orEmpty()

/** The policies, the simplest first: the more there is to one, the longer is its name. */
internal fun List<TreatmentTrials>.policies(): List<String> = map { it.policy }.distinct().sortedBy { it.length }

private val TreatmentTrials.recovers: Boolean get() = values("recovered").any { it > 0 }
