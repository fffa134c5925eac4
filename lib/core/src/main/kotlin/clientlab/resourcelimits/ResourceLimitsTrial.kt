package clientlab.resourcelimits

import clientlab.Factor
import clientlab.Outcome
import clientlab.Trial
import clientlab.probe.ChildReading
import clientlab.probe.ServerProbe
import clientlab.refuseUnless
import clientlab.transfer.said
import clientlab.trial.TrialSpec
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** One trial of [ResourceLimits]: this JVM starts the one under limits, raises the load on it, and asks the server how far it came. */
internal class ResourceLimitsTrial(
    private val spec: TrialSpec,
    private val within: ResourceLimits,
    private val server: ServerProbe,
) {
    private val memoryMiB = spec.treatment.number(Factor.MEMORY_MIB)
    private val threads = spec.treatment.number(Factor.THREADS).toInt()

    fun run(keep: (Trial) -> Unit) {
        refuseUnless(
            spec.serializedClient == null,
        ) { "A client from a cell cannot be carried into a JVM under limits: choose one of the catalogue." }
        val info = within.clients.first { it.id == spec.treatment.client }
        val jvmArgs = info.jvmArgs.map { it.replace("{inFlight}", "${within.upTo}") }
        val told = LimitedJvmSpec(info.id, within.upTo, spec.server.baseUrl.toString())
        server.reset()
        LimitedJvm(System.getProperty("java.class.path"), told, memoryMiB, threads, jvmArgs).use { jvm ->
            val before = jvm.read()
            var full: ChildReading? = before
            val held = ArrayList<List<Double>>()
            for (load in within.loads) {
                jvm.raise(load)
                val there = settled(load, jvm)
                jvm.read()?.let { full = it }
                held += listOf(load.toDouble(), there.toDouble())
                if (!jvm.alive || jvm.failed != null || there < load) break
            }
            keep(trial(jvm, before, full, held))
        }
    }

    /** How many are in flight once that has not changed for [STILL], or as soon as all are, or something failed. */
    private fun settled(asked: Int, jvm: LimitedJvm): Long {
        val began = TimeSource.Monotonic.markNow()
        var since = began
        var level = -1L
        while (began.elapsedNow() < LONGEST && jvm.alive) {
            val now = server.await(asked, POLL)
            if (now.reached) return now.inFlight
            if (now.inFlight != level) {
                level = now.inFlight
                since = TimeSource.Monotonic.markNow()
            }
            // Before the first request has arrived nothing stands still: a client may take a while to load its classes.
            if (level > 0 && since.elapsedNow() >= STILL) break
        }
        return level
    }

    private fun trial(jvm: LimitedJvm, before: ChildReading?, full: ChildReading?, held: List<List<Double>>): Trial {
        val evidence = server.evidence()
        val end = jvm.end()
        val failed = jvm.failed
        val peak = evidence.peakInFlight
        val survived = end == null && failed == null && peak >= within.upTo
        val said = jvm.words()?.let { ERROR.find(it)?.value }
        val kind = end?.first ?: failed?.substringBefore(':') ?: if (survived) null else said ?: "waits"
        val why = end?.second ?: failed?.substringAfter(": ") ?: jvm.words()?.takeIf { said != null }
        val wrong =
            listOfNotNull(
                "The server turned ${evidence.rejected} requests away: its own limit came first.".takeIf { evidence.rejected > 0 },
                "No request arrived, and none failed.".takeIf { peak == 0L && end == null && failed == null },
            )
        return Trial(
            experiment = spec.experiment,
            round = spec.round,
            treatment = spec.treatment,
            warmup = false,
            outcome = if (wrong.isEmpty()) Outcome.Complete else Outcome.Invalid,
            reasons = wrong,
            warnings = listOfNotNull(kind?.let { "With $peak in flight: $it" + why?.let { words -> " ($words)" }.orEmpty() + "." }),
            metrics =
                buildMap {
                    put("heldInFlight", peak.toDouble())
                    put("survived", if (survived) 1.0 else 0.0)
                    full?.osThreads?.let { put("osThreads", it.toDouble()) }
                    full?.rssBytes?.let { put("rssBytes", it.toDouble()) }
                    full?.anonBytes?.let { put("anonBytes", it.toDouble()) }
                    before?.anonBytes?.let { put("anonBaselineBytes", it.toDouble()) }
                    val more = full?.anonBytes?.let { it - (before?.anonBytes ?: return@let null) }
                    if (more != null && peak > 0) put("heldBytes", more.toDouble() / peak)
                },
            errors = listOfNotNull(kind?.let { it to 1 }).toMap(),
            evidence = evidence,
            curves = mapOf("held" to held),
        )
    }

    private companion object {
        private val POLL = 25.milliseconds
        private val STILL = 1.seconds
        private val LONGEST = 20.seconds

        /** What a JVM that goes on says of a thread of its that has ended. */
        private val ERROR = Regex("[A-Za-z]+(Error|Exception)(?=:|$)")
    }
}
