package clientlab.conduct

import clientlab.*
import clientlab.client.*
import clientlab.conduct.scene.*
import clientlab.probe.*
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import kotlin.time.Duration.Companion.seconds

/**
 * What [client] does in situations of [Conduct.stories], observed in this JVM: a fact for each, and a concern where it is one. Each takes
 * a few seconds at most. A client that decodes its answers needs a body that it can decode: [answer]. Throws [LabException] with one
 * sentence for an unknown situation, and for a client that has no answer even where nothing goes wrong.
 */
public fun observe(client: Client, situations: List<String>, answer: String = USUAL): List<Observation> {
    refuseUnlessKnown(situations)
    val asked = Situations.of(situations)
    val seen = Observer(client, usual = answer).observe(listOf(Situations.plain) + (asked - Situations.plain))
    unanswered(seen.first())?.let { throw LabException(it) }
    return if (Situations.plain in asked) seen else seen.drop(1)
}

private const val USUAL = "ok"

/** Why nothing can be said of a client that never has an answer, or null if it has one in the situation in which nothing goes wrong. */
internal fun unanswered(plain: Observation): String? =
    if ("connection" in plain.fact) null else "The client has no answer even where nothing goes wrong: ${plain.fact}."

/**
 * Takes one client through situations in this JVM, one after the other but for those that are apart.
 *
 * A situation in which this process stood still for longer than [mostPauseMs] is looked at again, because a late time-out would then be the
 * machine's.
 *
 * @property spoilt the situations in which it stood still each time.
 */
internal class Observer(private val client: Client, val mostPauseMs: Double = MOST_PAUSE_MS, private val usual: String = USUAL) {
    val spoilt: MutableList<String> = ArrayList()
    private val certificates = lazy { Certificates.make() }

    fun observe(situations: List<Situation>): List<Observation> = try {
        // Before any client is opened: some read the JVM's trust store then, and do so once.
        if (situations.any { it.needsTls }) certificates.value
        lookAtAll(situations)
    } finally {
        if (certificates.isInitialized()) certificates.value.close()
    }

    private fun lookAtAll(situations: List<Situation>): List<Observation> {
        // A client's first request in a JVM loads its classes, which is no part of any situation.
        look(Situations.plain)
        if (situations.any { it.needsTls }) look(Situations.plainHttp2)
        val (apart, others) = situations.partition { it.apart }
        val seen = others.associateWith(::watchedOften) + sideBySide(apart)
        return situations.map(seen::getValue)
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

    private fun watchedOften(situation: Situation): Observation {
        var seen = watched(situation)
        repeat(LOOKS - 1) { if (seen.pauseMs > mostPauseMs) seen = watched(situation) }
        if (seen.pauseMs > mostPauseMs) spoilt += situation.id
        return seen.observation
    }

    private class Watched(val observation: Observation, val pauseMs: Double)

    private fun watched(situation: Situation) = PauseWatch().use { watch -> Watched(look(situation), watch.longestMs) }

    private fun look(situation: Situation): Observation {
        Scene(client, certificates, usual).use { scene ->
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

    companion object {
        const val LOOKS = 3

        /** A time-out counts as late when it is later than by this much. */
        const val MOST_PAUSE_MS = 50.0
        private const val NOT_SUPPORTED = "not supported"
        private val MOST = 10.seconds
        private val UNENDING = Observed("does not come to an end within $MOST")
    }
}
