package clientlab.storm

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.withTimeoutOrNull
import java.util.concurrent.TimeoutException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/** One trial of a [Storm], in this JVM: the usual rate to warm up, then the usual rate, the surge and the usual rate again. */
internal class StormTrial(private val scope: TrialScope, private val storm: Storm) {
    private val retries = storm.retries(scope.treatment)
    private val spin = SpinTime().nanos((storm.possible * storm.surge).toInt())

    fun run() {
        val url = scope.spec.server.url(scope.protocol)
        val conditions = Conditions(url, storm.mostInFlight, timeout = storm.timeout, deadline = storm.timeout)
        scope.client().open(conditions).use { session ->
            val warmUp = warmUp(session)
            System.gc()
            scope.server.reset()
            SeriesRecorder(scope.spec.server).use { recorder ->
                val (result, pauseMs) = PauseWatch().use { watch -> storm(session, recorder) to watch.longestMs }
                val evidence = scope.server.evidence()
                val judgement = Judgement.of(wrong(warmUp, result, evidence))
                scope.keep(
                    scope
                        .trial(judgement, numbers(result, evidence, pauseMs), evidence)
                        .copy(errors = result.errors, series = recorder.stop()),
                )
            }
        }
    }

    /** Every second request has its answer at once; the callers of the others give up, so that this is warm too. */
    private fun warmUp(session: Session): CallerResult {
        val lateMs = (storm.timeout * 2).inWholeMilliseconds
        val delays = listOf("0ms", "${lateMs}ms")
        val result = load(session, storm.arrivals(storm.surge, storm.warmUp)) { delays[it % delays.size] }
        // Until the server has answered the last of those who gave up.
        Thread.sleep(lateMs)
        return result
    }

    private fun storm(session: Session, recorder: SeriesRecorder): CallerResult {
        // No other trial has a queue of that name.
        val queue = "queue(${storm.service.inWholeMicroseconds / 1e3}ms,storm-${ProcessHandle.current().pid()}-${scope.spec.round})"
        return load(session, storm.plan, recorder) { queue }
    }

    private fun load(session: Session, plan: LongArray, recorder: SeriesRecorder? = null, delay: (Int) -> String): CallerResult {
        val asking = RetryingSession(session, retries, storm.timeout, Schedule.shares(storm.seed + scope.spec.round))
        return CallerLoop(asking, plan, storm.patience, spin, underWay = Int.MAX_VALUE, recorder = recorder) {
            "/delay?delay=${delay(it)}&a=$it"
        }.open()
    }

    private fun numbers(result: CallerResult, evidence: Evidence, pauseMs: Double): Numbers =
        buildMap {
            tell(CommonMetrics.requests, result.planned.size)
            tell(CommonMetrics.failed, result.errors.values.sum())
            tell(CommonMetrics.answeredShare, result.answered.toDouble() / result.planned.size)
            tell(CommonMetrics.inFlightPeak, evidence.peakInFlight)
            tellConnections(evidence)
            tell(CommonMetrics.sendLagP99Ms, nearestRank(msBetween(result.planned, result.sent), P99))
            tell(StormMetrics.pauseMs, pauseMs)
            tell(CommonMetrics.spoilt, if (pauseMs > storm.timeout / 1.milliseconds * MOST_PAUSE) 1 else 0)
            tell(StormMetrics.attemptsPerRequest, evidence.arrived.toDouble() / result.planned.size)
            val goodput = Goodput(storm, result.done)
            tell(StormMetrics.goodputBefore, goodput.before)
            tell(StormMetrics.goodputDuring, goodput.during)
            tell(StormMetrics.goodputAfter, goodput.after)
            tell(StormMetrics.recoveryMs, goodput.recovery?.let { it / 1.milliseconds })
            tell(StormMetrics.recovered, if (goodput.recovery == null) 0 else 1)
        }

    private fun wrong(warmUp: CallerResult, result: CallerResult, evidence: Evidence): List<String> =
        reasons(evidence) {
            val lag = nearestRank(msBetween(result.planned, result.sent), P99)
            add(warmUp.answered == 0) { "The warm-up was not answered at all. The first failure: ${warmUp.example ?: "none came back"}." }
            add(lag > storm.timeout / 1.milliseconds * MOST_LAG) {
                "The generator was the limit: 1 % of the requests were sent more than ${lag.toLong()} ms late, and a caller waits ${storm.timeout}."
            }
            rejected()
            answeredEarly()
            overflowed()
        }

    private companion object {
        const val P99 = 0.99

        /** A request that is sent later than this share of the time-out is another request than the one that was planned. */
        const val MOST_LAG = 0.2

        /** A process that stands still for longer than this share of the time-out makes its callers give up too early. */
        const val MOST_PAUSE = 0.1
    }
}

/** How many requests had their answer in each second of a [storm]; [done] are nanoseconds since the load began, or -1. */
internal class Goodput(private val storm: Storm, private val done: LongArray) {
    private val surgeEnds = storm.before + storm.during

    val before: Double get() = perSecond(Duration.ZERO, storm.before)
    val during: Double get() = perSecond(storm.before, surgeEnds)
    val after: Double get() = perSecond(surgeEnds, surgeEnds + storm.after)

    /** How long after the surge it was as good as before, and stayed so; null where it did not come to that. */
    val recovery: Duration?
        get() {
            val good = storm.possible * storm.usual * GOOD
            val windows = (0 until (storm.after / WINDOW).toInt()).map { surgeEnds + WINDOW * it }
            val lastBad = windows.indexOfLast { perSecond(it, it + WINDOW) < good }
            return if (lastBad == windows.lastIndex) null else WINDOW * (lastBad + 1)
        }

    private fun perSecond(from: Duration, to: Duration): Double {
        val range = from.inWholeNanoseconds until to.inWholeNanoseconds
        return done.count { it in range } / ((to - from).inWholeNanoseconds / 1e9)
    }

    private companion object {
        val WINDOW = 500.milliseconds
        const val GOOD = 0.9
    }
}

/** A caller with [retries], who gives an attempt up after [timeout]. Its requests are on one thread, for which [share] is. */
internal class RetryingSession(
    private val session: Session,
    private val retries: Retries,
    private val timeout: Duration,
    private val share: () -> Double,
) : Session by session {
    private val budget = retries.Budget()

    override suspend fun send(request: Request): Reply {
        budget.earn()
        repeat(retries.attempts) { number ->
            try {
                val reply = attempt(request)
                if (reply.failure() == null || !budget.pay()) return reply
            } catch (e: Exception) {
                // The caller itself may have been cancelled, and then it asks no more.
                currentCoroutineContext().ensureActive()
                if (!budget.pay()) throw e
            }
            delay(retries.pauseBefore(number, share))
        }
        return attempt(request)
    }

    private suspend fun attempt(request: Request): Reply =
        withTimeoutOrNull(timeout) { session.send(request) } ?: throw TimeoutException("The caller waited for $timeout.")
}
