package clientlab.tasks

import clientlab.*
import clientlab.trial.*

/**
 * Judges tasks by what client and server both counted: complete if every call got a right answer, otherwise invalid.
 *
 * There are no waves here: an executor holds tasks back by design, and that is what is measured.
 */
internal fun judgeTasks(result: TasksResult, evidence: Evidence, delayMs: Long = 0): Judgement {
    val asked = result.asked.toLong()
    val wrong =
        reasons(evidence) {
            add(result.failed > 0) { "${result.failed} of $asked calls failed: ${spoken(result.errors)}. The first: ${result.example}" }
            answeredEarly()
            answeredTooSoon(result.latenciesMs, delayMs)
            arrivedOthers(result.asked, "made $asked calls")
            add(result.failed == 0 && evidence.answeredOk != asked) {
                "The client counted $asked answers and the server wrote ${evidence.answeredOk}."
            }
            overflowed()
        }
    return Judgement.of(wrong)
}
