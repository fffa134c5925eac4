package clientlab.articles.streams

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.outage.*
import clientlab.streams.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/**
 * What an open stream takes, one row per client and feed: how many are held, platform threads and kB for each, microseconds of a processor
 * for each in a second, the share of the due bytes that its caller read, kB that wait unread, and how long a cancelled one stays open.
 * Medians over forks with 95 % intervals.
 */
public fun Trials<Streams>.streamTable(): AnyFrame =
    measured()
        .toDataFrame {
            "client" from { it.client }
            "feed" from { it[Factor.FEED] }
            "held" from { it.middle("heldInFlight") }
            "threadsEach" from { Bootstrap.median(it.threadsEach()).shown() }
            "kBEach" from { it.middle("streamBytes", PER_KB) }
            "cpuMicrosEach" from { it.middle("streamCpuMs", MICROS_PER_MS) }
            "dueShare" from { it.middle("dueShare") }
            "unreadKB" from { it.middle("unreadBytes", PER_KB) }
            "besideSlowShare" from { it.middle("besideSlowShare") }
            "cancelMs" from { it.middle("cancelMs") }
            "n" from { it.counted.size }
        }.from(this)

/**
 * What a silence of the network did to open streams, one row per client: the share of the callers whose client noticed, and how many seconds
 * into the silence; the share that read events again, and how many seconds after it the middle and the last caller did; and how many dead
 * streams the server held at the end. Medians over forks with 95 % intervals.
 */
public fun Trials<Outage>.outageTable(): AnyFrame =
    measured()
        .toDataFrame {
            "client" from { it.client }
            "noticed" from { it.middle("noticedShare") }
            "noticedSeconds" from { it.middle("noticedMs", SECONDS_PER_MS) }
            "back" from { it.middle("backShare") }
            "backSeconds" from { it.middle("backMs", SECONDS_PER_MS) }
            "lastBackSeconds" from { it.middle("backMaxMs", SECONDS_PER_MS) }
            "deadStreams" from { it.middle("deadStreams") }
            "n" from { it.counted.size }
        }.from(this)

private fun TreatmentTrials.middle(metric: String, scale: Double = 1.0) = Bootstrap.median(values(metric).map { it * scale }).shown()

/** Platform threads that there are for each stream. */
internal fun TreatmentTrials.threadsEach(): List<Double> = ratios("threadsNew", "heldInFlight")

internal const val PER_KB: Double = 1e-3
internal const val MICROS_PER_MS: Double = 1e3
private const val SECONDS_PER_MS = 1e-3
