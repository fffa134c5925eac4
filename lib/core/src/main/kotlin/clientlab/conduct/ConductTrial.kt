package clientlab.conduct

import clientlab.*
import clientlab.client.*
import clientlab.conduct.scene.*
import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import kotlin.time.Duration.Companion.seconds

/**
 * One trial of a [Conduct], in this JVM: one client through all situations, one after the other but for those that are apart.
 *
 * A situation in which this process stood still for longer than [mostPauseMs] is looked at again, because a late time-out would then be the
 * machine's.
 */
internal class ConductTrial(private val scope: TrialScope, private val conduct: Conduct, private val mostPauseMs: Double = MOST_PAUSE_MS) {
    private val client = scope.client()
    private val spoilt = ArrayList<String>()
    private val certificates = lazy { Certificates.make() }

    fun run() {
        try {
            // Before any client is opened: some read the JVM's trust store then, and do so once.
            if (Situations.of(conduct.situations).any { it.needsTls }) certificates.value
            lookAtAll()
        } finally {
            if (certificates.isInitialized()) certificates.value.close()
        }
    }

    private fun lookAtAll() {
        // A client's first request in a JVM loads its classes, which is no part of any situation.
        look(Situations.plain)
        val situations = Situations.of(conduct.situations)
        if (situations.any { it.needsTls }) look(Situations.plainHttp2)
        val (apart, others) = situations.partition { it.apart }
        val seen = others.associateWith(::observe) + sideBySide(apart)
        val observations = situations.map(seen::getValue)
        val numbers = buildMap {
            tell(ConductMetrics.situations, observations.size)
            tell(ConductMetrics.concerns, observations.count { it.concern.isNotEmpty() })
            tell(CommonMetrics.spoilt, spoilt.size)
        }
        scope.keep(scope.trial(judge(observations), numbers).copy(observations = observations))
    }

    /** One on each processor. No time is observed, so a pause spoils none of them. */
    private fun sideBySide(situations: List<Situation>): Map<Situation, Observation> {
        val threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())
        try {
            return situations.map { situation -> threads.submit(Callable { situation to look(situation) }) }.associate { it.get() }
        } finally {
            threads.shutdownNow()
        }
    }

    private fun observe(situation: Situation): Observation {
        var seen = watched(situation)
        repeat(LOOKS - 1) { if (seen.pauseMs > mostPauseMs) seen = watched(situation) }
        if (seen.pauseMs > mostPauseMs) spoilt += situation.id
        return seen.observation
    }

    private class Watched(val observation: Observation, val pauseMs: Double)

    private fun watched(situation: Situation) = PauseWatch().use { watch -> Watched(look(situation), watch.longestMs) }

    private fun look(situation: Situation): Observation {
        Scene(client, certificates).use { scene ->
            val observed = try {
                runBlocking { withTimeoutOrNull(MOST) { situation.look(scene) } } ?: UNENDING
            } catch (refused: IllegalArgumentException) {
                Observed("$NOT_SUPPORTED: ${refused.message}")
            } catch (unknown: UnsupportedOperationException) {
                Observed("$NOT_SUPPORTED: ${unknown.message ?: unknown.javaClass.simpleName}")
            }
            return Observation(situation.id, observed.fact, observed.ms, observed.concern, scene.events.first)
        }
    }

    /** A client that never has an answer was not observed: something else is wrong with it. */
    private fun judge(observations: List<Observation>): Judgement {
        val plain = observations.firstOrNull { it.situation == Situations.plain.id }
        val wrong = plain != null && !plain.fact.contains("connection")
        val reasons = if (wrong) listOf("The client has no answer even where nothing goes wrong: ${plain.fact}.") else emptyList()
        return Judgement.of(reasons, listOfNotNull(pausesSeen()))
    }

    private fun pausesSeen(): String? {
        if (spoilt.isEmpty()) return null
        return "This process stood still for more than ${mostPauseMs.toInt()} ms each of $LOOKS times that it looked at " +
            "${spoilt.joinToString()}: a time there may be the machine's. End other work, and observe again."
    }

    private companion object {
        const val LOOKS = 3

        /** A time-out counts as late when it is later than by this much. */
        const val MOST_PAUSE_MS = 50.0
        const val NOT_SUPPORTED = "not supported"
        val MOST = 10.seconds
        val UNENDING = Observed("does not come to an end within $MOST")
    }
}
