package clientlab.tasks

import clientlab.Evidence
import clientlab.Outcome
import clientlab.trial.Judgement
import clientlab.trial.tooSoon

/**
 * Judges tasks by what client and server both counted: complete where every call was answered rightly, and else invalid.
 *
 * There are no waves here: what an executor holds back it holds back by design, and that is what is measured.
 */
internal fun judgeTasks(result: TasksResult, evidence: Evidence, delayMs: Long = 0): Judgement {
    val asked = result.asked.toLong()
    val wrong =
        buildList {
            if (result.failed > 0) {
                val kinds = result.errors.entries.joinToString { (kind, count) -> "$kind ($count)" }
                add("${result.failed} of $asked calls failed: $kinds. The first: ${result.example}")
            }
            if (evidence.answeredEarly > 0) add("${evidence.answeredEarly} answers came before their delay.")
            tooSoon(result.latenciesMs, delayMs)?.let { add(it) }
            if (evidence.arrived != asked) add("The client made $asked calls and the server saw ${evidence.arrived}.")
            if (result.failed == 0 && evidence.answeredOk != asked) {
                add("The client counted $asked answers and the server wrote ${evidence.answeredOk}.")
            }
            val overflows = evidence.listenOverflows ?: 0
            if (overflows > 0) add("An accept queue on the server's machine ran over $overflows times, so connections were retried.")
        }
    return Judgement(if (wrong.isEmpty()) Outcome.Complete else Outcome.Invalid, wrong, warnings = emptyList())
}
