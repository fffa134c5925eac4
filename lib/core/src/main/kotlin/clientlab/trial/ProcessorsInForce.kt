package clientlab.trial

import clientlab.*
import clientlab.probe.*

/** What this JVM really had of the processors that a treatment asks for, read when the trial is judged. */
internal class ProcessorsInForce(
    private val counted: Int = Runtime.getRuntime().availableProcessors(),
    private val allowed: List<Int> = AllowedProcessors.of(),
    private val harnessElsewhere: Boolean = HarnessProcessors.named,
    private val stayed: Set<String> = HarnessProcessors.stayed,
) {
    /** Why a trial of [treatment] did not have the processors that it asked for; empty if it had them, or asked for none. */
    fun reasons(treatment: Treatment): List<String> {
        val asked = treatment.processors ?: return emptyList()
        val wanted = "The trial asked for $asked processor${if (asked == 1) "" else "s"}"
        return listOfNotNull(
            "$wanted and the JVM had ${allowed.size} (${allowed.joinToString(",")}).".takeIf { allowed.size != asked },
            "$wanted and the JVM counted $counted.".takeIf { counted != asked },
            "$wanted and the harness had none of its own.".takeIf { !harnessElsewhere },
            "$wanted and the harness's ${stayed.sorted().joinToString()} ran there too.".takeIf { stayed.isNotEmpty() },
        )
    }
}
