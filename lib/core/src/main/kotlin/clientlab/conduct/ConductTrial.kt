package clientlab.conduct

import clientlab.*
import clientlab.trial.*

/** One trial of a [Conduct], in this JVM; [mostPauseMs] is that of its [Observer]. */
internal class ConductTrial(private val scope: TrialScope, private val conduct: Conduct, mostPauseMs: Double = Observer.MOST_PAUSE_MS) {
    private val observer = Observer(scope.client(), mostPauseMs)

    fun run() {
        val observations = observer.observe(Situations.of(conduct.situations))
        val numbers = buildMap {
            tell(ConductMetrics.situations, observations.size)
            tell(ConductMetrics.concerns, observations.count { it.concern.isNotEmpty() })
            tell(CommonMetrics.spoilt, observer.spoilt.size)
        }
        scope.keep(scope.trial(judge(observations), numbers).copy(observations = observations))
    }

    /** A client that never has an answer was not observed: something else is wrong with it. */
    private fun judge(observations: List<Observation>): Judgement {
        val plain = observations.firstOrNull { it.situation == Situations.plain.id }
        val reasons = listOfNotNull(plain?.let(::unanswered))
        return Judgement.of(reasons, listOfNotNull(pausesSeen()))
    }

    private fun pausesSeen(): String? {
        if (observer.spoilt.isEmpty()) return null
        return "This process stood still for more than ${observer.mostPauseMs.toInt()} ms " +
            "each of ${Observer.LOOKS} times that it looked at ${observer.spoilt.joinToString()}: a time there may be the machine's. End other work, and observe again."
    }
}
