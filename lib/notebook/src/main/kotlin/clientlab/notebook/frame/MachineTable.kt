package clientlab.notebook.frame

import clientlab.notebook.journal.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * What happened on the machine during each trial of these runs, one row per trial in their order: load average at its end, share stolen by
 * the host, processors that others kept busy and the number of their processes, time withheld by a quota, swapped pages, and what of that
 * disturbed it.
 *
 * Runs from before there were such readings have no rows. A value is null if the system does not give it.
 */
public fun Trials<*>.machine(): AnyFrame {
    val readings = runs().flatMap { run -> RunFolder.withId(run).readings().map { run to it } }
    return dataFrameOf(
        readings.map { (run, _) -> run }.toColumn("run"),
        readings.map { (_, it) -> it.round }.toColumn("round"),
        readings.map { (_, it) -> "${it.treatment}" }.toColumn("treatment"),
        readings.map { (_, it) -> it.span.seconds }.toColumn("seconds"),
        readings.map { (_, it) -> it.span.load }.toColumn("load"),
        readings.map { (_, it) -> it.span.stealShare }.toColumn("stealShare"),
        readings.map { (_, it) -> it.span.othersProcessors }.toColumn("othersProcessors"),
        readings.map { (_, it) -> it.span.othersBusy }.toColumn("othersBusy"),
        readings.map { (_, it) -> it.span.throttledMs }.toColumn("throttledMs"),
        readings.map { (_, it) -> it.span.swappedPages }.toColumn("swappedPages"),
        readings.map { (_, it) -> it.disturbed.joinToString(" ") }.toColumn("disturbed"),
    ).from(this)
}
