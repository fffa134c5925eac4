package clientlab.resourcelimits

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*
import kotlin.time.Duration.Companion.seconds

/** One trial of [ResourceLimits]: this JVM starts the limited one, raises the load on it, and asks the server how many requests arrived. */
internal class ResourceLimitsTrial(private val scope: TrialScope, private val workload: ResourceLimits) {
    private val spec = scope.spec
    private val server = scope.server
    private val memoryMiB = spec.treatment.number(Factor.MEMORY_MIB)
    private val threads = scope.number(Factor.THREADS)

    fun run() {
        refuseUnless(spec.serializedClient == null) {
            "A client from a cell cannot be carried into a JVM under limits: choose one of the catalogue."
        }
        val info = workload.client(spec.treatment)
        val jvmArgs = info.jvmArgs(workload.upTo)
        val told = LimitedJvmSpec(info.id, workload.upTo, spec.server.baseUrl.toString())
        server.reset()
        LimitedJvm(System.getProperty("java.class.path"), told, memoryMiB, threads, jvmArgs).use { jvm ->
            val before = jvm.read()
            var full: ChildReading? = before
            val held = ArrayList<List<Double>>()
            for (load in workload.loads) {
                jvm.raise(load)
                val there = server.awaitPlateau(load, STILL) { !jvm.alive }
                jvm.read()?.let { full = it }
                held += listOf(load.toDouble(), there.toDouble())
                if (!jvm.alive || jvm.failed != null || there < load) break
            }
            scope.keep(trial(jvm, before, full, held))
        }
    }

    private fun trial(jvm: LimitedJvm, before: ChildReading?, full: ChildReading?, held: List<List<Double>>): Trial {
        val evidence = server.evidence()
        val end = jvm.end()
        val failed = jvm.failed
        val peak = evidence.peakInFlight
        val survived = end == null && failed == null && peak >= workload.upTo
        val said = jvm.words()?.let { ERROR.find(it)?.value }
        val kind = end?.first ?: failed?.substringBefore(':') ?: if (survived) null else said ?: "waits"
        val why = end?.second ?: failed?.substringAfter(": ") ?: jvm.words()?.takeIf { said != null }
        val wrong =
            reasons(evidence) {
                rejected()
                add(peak == 0L && end == null && failed == null) { "No request arrived, and none failed." }
            }
        val warnings = listOfNotNull(kind?.let { "With $peak in flight: $it" + why?.let { words -> " ($words)" }.orEmpty() + "." })
        return scope
            .trial(Judgement.of(wrong, warnings), numbers(peak, survived, before, full), evidence)
            .copy(errors = listOfNotNull(kind?.let { it to 1 }).toMap(), curves = mapOf("held" to held))
    }

    private fun numbers(peak: Long, survived: Boolean, before: ChildReading?, full: ChildReading?): Numbers =
        buildMap {
            tell(CommonMetrics.heldInFlight, peak)
            tell(CommonMetrics.survived, if (survived) 1 else 0)
            tell(CommonMetrics.osThreads, full?.osThreads)
            tell(CommonMetrics.rssBytes, full?.rssBytes)
            tell(CommonMetrics.anonBytes, full?.anonBytes)
            tell(CommonMetrics.anonBaselineBytes, before?.anonBytes)
            val more = (full?.anonBytes ?: return@buildMap) - (before?.anonBytes ?: return@buildMap)
            if (peak > 0) tell(ResourceLimitsMetrics.heldBytes, more.toDouble() / peak)
        }

    private companion object {
        private val STILL = 1.seconds

        /** What a JVM that goes on reports of one of its threads that has ended. */
        private val ERROR = Regex("[A-Za-z]+(Error|Exception)(?=:|$)")
    }
}
