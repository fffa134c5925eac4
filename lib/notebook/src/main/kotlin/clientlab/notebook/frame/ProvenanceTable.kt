package clientlab.notebook.frame

import clientlab.*
import clientlab.machine.*
import clientlab.notebook.journal.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn
import java.util.Locale

/** The origin of these trials from their run's manifest: the experiment, the machine, the Java and the libraries. */
public fun Trials<*>.provenance(): AnyFrame {
    val manifests = runs().map { RunFolder.withId(it).manifest }
    val lines = manifests.map { describe(it, slowRoundsOf(it.run)) }
    val names = lines.firstOrNull()?.map { it.first }.orEmpty()
    return dataFrameOf(
        listOf(names.toColumn("what")) +
            lines.mapIndexed { index, line -> line.map { it.second }.toColumn("run${index + 1}".takeIf { lines.size > 1 } ?: "value") },
    )
}

private fun describe(manifest: Manifest, slow: List<Int>): List<Pair<String, String>> {
    val machine = manifest.machine
    val read = manifest.readings
    val unsettling = manifest.findings().filter { it.unsettles }
    return listOf(
        "run" to manifest.run,
        "started" to manifest.startedAt.substringBefore('.') + "Z",
        "state" to manifest.state,
        "experiment" to question(manifest.experiment),
        "machine" to "${machine.cpu}, ${machine.cores} cores, ${machine.memoryBytes / GIB} GiB",
        "system" to machine.os,
        "Java" to manifest.experiment.java
            .joinToString()
            .ifEmpty { "${machine.java} (${machine.javaVendor})" },
        "options" to manifest.jvmArgs.joinToString(" "),
        "delay server" to
            (manifest.server["elsewhere"]?.let { "elsewhere, at $it; see the manifest for what it said of itself" } ?: "the run's own"),
        "load before" to (machine.load?.let { "%.2f".format(Locale.ROOT, it) } ?: "unknown"),
        "clock, governor" to (read?.settings?.let(::clockAndGovernor) ?: UNREAD),
        "swap in use" to (read?.settings?.swapUsedBytes?.let { "${it / MIB} MiB" } ?: UNREAD),
        "sleep of 1 ms, beyond it" to (read?.calibration?.let { us(it.timerOvershootP50Us, it.timerOvershootP99Us) } ?: UNREAD),
        "loopback and back" to (read?.calibration?.let { us(it.loopbackRoundTripP50Us, it.loopbackRoundTripP99Us) } ?: UNREAD),
        "reference spin" to spinsOf(manifest),
        "meanwhile" to (read?.during?.let(::meanwhile) ?: UNREAD),
        "disturbed trials" to (read?.let(::disturbed) ?: UNREAD),
        "slow rounds" to named(slow).ifEmpty { "none" },
        "unsettled by" to unsettling.joinToString { it.clause }.ifEmpty { "nothing that was read" },
        "commit" to (manifest.commit?.take(SHORT)?.let { it + if (manifest.dirty == true) ", with changes" else "" } ?: "unknown"),
        "libraries" to manifest.versions.entries.joinToString { "${it.key.substringAfter(':')} ${it.value}" },
    )
}

private fun disturbed(of: MachineReadings): String {
    val repeated = if (of.repeated.isEmpty()) "" else "; ${of.repeated.size} more were measured again"
    return "${of.disturbed.size} of ${of.trials}$repeated"
}

/** The same work on every machine, so that two runs can be compared. A merged run has one time per machine. */
private fun spinsOf(manifest: Manifest): String =
    manifest.paces().mapNotNull { it.spinMs }.joinToString { "${Estimate.rounded(it)} ms" }.ifEmpty { UNREAD }

private fun question(of: Experiment<*>): String {
    val forks = if (of.precision == null) "${of.forks}" else "${of.forks} to ${of.mostForks}"
    return "${of.name}: ${of.treatments.size} treatments, $forks forks each, seed ${of.seed}"
}

private fun clockAndGovernor(of: MachineSettings): String =
    "${of.clockSource ?: "clock not readable"}, ${of.governors?.joinToString(" and ") ?: "governor not readable"}"

private fun us(median: Double, most: Double): String =
    "median ${Estimate.rounded(median)} µs, one in a hundred more than ${Estimate.rounded(most)} µs"

private fun meanwhile(span: MachineSpan): String =
    listOfNotNull(
        span.othersProcessors?.let { "others kept ${"%.2f".format(Locale.ROOT, it)} processors busy" },
        span.stealShare?.let { "${"%.1f".format(Locale.ROOT, it * PERCENT)} % stolen" },
        span.throttledMs?.let { "${Estimate.rounded(it)} ms throttled" },
        span.swappedPages?.let { "$it pages swapped" },
    ).joinToString().ifEmpty { UNREAD }

private const val UNREAD = "not read"
private const val MIB = 1L shl 20
private const val PERCENT = 100
private const val GIB = 1L shl 30
private const val SHORT = 10

/**
 * What happened on the machine during each trial, one row per trial in their order: load average at its end, share stolen by the host,
 * processors that others kept busy and the number of their processes, time withheld by a quota, swapped pages, and what of that disturbed
 * it. Older runs without readings have no rows. A value is null if the system does not give it.
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
