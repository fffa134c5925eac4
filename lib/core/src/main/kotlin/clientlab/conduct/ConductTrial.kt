package clientlab.conduct

import clientlab.*
import clientlab.client.*
import clientlab.conduct.scene.*
import clientlab.trial.*
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration.Companion.seconds

/** One trial of a [Conduct], in this JVM: one client through all situations. */
internal class ConductTrial(private val scope: TrialScope, private val conduct: Conduct) {
    private val client = scope.client()

    fun run() {
        // A client's first request in a JVM loads its classes, which is no part of any situation.
        observe(Situations.plain)
        val observations = Situations.of(conduct.situations).map(::observe)
        val numbers = buildMap {
            tell(ConductMetrics.situations, observations.size)
            tell(ConductMetrics.concerns, observations.count { it.concern.isNotEmpty() })
        }
        scope.keep(scope.trial(judge(observations), numbers).copy(observations = observations))
    }

    private fun observe(situation: Situation): Observation {
        val observed = try {
            Scene(client).use { scene -> runBlocking { withTimeoutOrNull(MOST) { situation.look(scene) } } } ?: UNENDING
        } catch (refused: IllegalArgumentException) {
            Observed("$NOT_SUPPORTED: ${refused.message}")
        } catch (unknown: UnsupportedOperationException) {
            Observed("$NOT_SUPPORTED: ${unknown.message ?: unknown.javaClass.simpleName}")
        }
        return Observation(situation.id, observed.fact, observed.ms, observed.concern)
    }

    /** A client that never has an answer was not observed: something else is wrong with it. */
    private fun judge(observations: List<Observation>): Judgement {
        val plain = observations.firstOrNull { it.situation == Situations.plain.id }
        val wrong = plain != null && !plain.fact.contains("connection")
        return Judgement.of(if (wrong) listOf("The client has no answer even where nothing goes wrong: ${plain.fact}.") else emptyList())
    }

    private companion object {
        const val NOT_SUPPORTED = "not supported"
        val MOST = 10.seconds
        val UNENDING = Observed("does not come to an end within $MOST")
    }
}
