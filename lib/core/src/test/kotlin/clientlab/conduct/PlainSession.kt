package clientlab.conduct

import clientlab.*
import clientlab.client.*
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedDeque
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.Semaphore
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread
import kotlin.coroutines.Continuation
import kotlin.coroutines.resumeWithException
import kotlin.coroutines.suspendCoroutine

/** Opens a [PlainSession]; it can be carried to another process. */
internal class PlainClient(private val misconduct: Misconduct?) : Client {
    override fun open(conditions: Conditions): Session =
        if (conditions.protocol == Protocol.Http2) PlainHttp2Session(conditions, misconduct) else PlainSession(conditions, misconduct)
}

/** A client that does what one should do in each situation, except for its [misconduct]. */
internal class PlainSession(private val conditions: Conditions, private val misconduct: Misconduct?) : Session {
    private val threads: ExecutorService = Executors.newCachedThreadPool { Thread(it, "plain").apply { isDaemon = true } }
    private val timer = Executors.newScheduledThreadPool(1) { Thread(it, "plain-timer").apply { isDaemon = true } }
    private val places = Semaphore(if (misconduct == Misconduct.SendsFiveAtOnce) 5 else conditions.inFlight)
    private val idle = ConcurrentLinkedDeque<PlainConnection>()
    private val underWay = CopyOnWriteArrayList<Exchange>()

    @Volatile private var closed = false

    private fun does(wrong: Misconduct) = misconduct == wrong

    override suspend fun send(request: Request): Reply {
        check(!closed) { "this session is closed" }
        return when {
            does(Misconduct.NeedsIoThreads) -> withContext(Dispatchers.IO) { Exchange(request).run() }

            does(Misconduct.UploadsOnIoThreads) && request.bodyBytes > 0 -> withContext(Dispatchers.IO) { Exchange(request).run() }

            does(Misconduct.NeedsDefaultThreads) -> withContext(Dispatchers.Default) { Exchange(request).run() }

            does(Misconduct.BlocksCaller) -> CompletableFuture.supplyAsync({ Exchange(request).run() }, threads).get()

            does(Misconduct.IgnoresCancellation) -> suspendCoroutine { Exchange(request).begin(it) }

            else -> suspendCancellableCoroutine { continuation ->
                val exchange = Exchange(request)
                continuation.invokeOnCancellation { exchange.cancel() }
                exchange.begin(continuation)
            }
        }
    }

    override fun close() {
        closed = true
        timer.shutdownNow()
        if (!does(Misconduct.OutlivesClose)) underWay.forEach { it.fail(IOException("the session was closed")) }
        val leaks = does(Misconduct.LeaksDescriptors) || (does(Misconduct.LeaksNowAndThen) && CLOSED.incrementAndGet() % 100 == 0)
        if (leaks) LEAKED += idle else idle.forEach { it.close() }
        if (does(Misconduct.HoldsMain)) Thread { Thread.sleep(LONGER_THAN_PATIENCE) }.start()
        if (does(Misconduct.LeaksThreads)) Thread({ Thread.sleep(A_MINUTE) }, "plain-left").apply { isDaemon = true }.start()
        threads.shutdown()
    }

    /** One request with its attempts. */
    private inner class Exchange(private val request: Request) {
        @Volatile private var caller: Continuation<Reply>? = null

        @Volatile private var connection: PlainConnection? = null

        @Volatile private var connecting = false

        @Volatile private var over = false

        fun begin(caller: Continuation<Reply>) {
            this.caller = caller
            underWay += this
            val factor = if (does(Misconduct.LateTimeout)) 1.2 else 1.0
            val length = (conditions.timeout.inWholeMilliseconds * factor).toLong()
            WATCHED += Watched(length, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(length))
            timer.schedule({ timeOut(length) }, length, TimeUnit.MILLISECONDS)
            threads.execute {
                val result = runCatching { run() }
                val kept = does(Misconduct.KeepsOutOfMemoryToItself) && result.exceptionOrNull() is OutOfMemoryError
                if (!kept) end(result)
            }
        }

        /** Gives [result] to the caller, if it has none yet. */
        private fun end(result: Result<Reply>) {
            val waiting = synchronized(this) { caller.also { caller = null } } ?: return
            underWay -= this
            if ((waiting as? CancellableContinuation<Reply>)?.isActive != false) waiting.resumeWith(result)
        }

        /** Until the request has ended. */
        private fun spin() = thread(isDaemon = true) { while (caller != null) Thread.onSpinWait() }

        fun run(): Reply {
            places.acquire()
            if (does(Misconduct.SpinsWhileUploading) && request.bodyBytes > 0) spin()
            try {
                if (over && !does(Misconduct.SendsCancelled)) throw IOException("too late")
                over = false
                return follow(request, hops = 0)
            } finally {
                if (!(over && does(Misconduct.KeepsPlaceOfCancelled))) places.release()
            }
        }

        private fun follow(request: Request, hops: Int): Reply {
            val answer = attempts(request)
            val follows = misconduct in FOLLOW
            val location = answer.location?.takeIf { follows && hops < MOST_HOPS } ?: return answer.reply
            return follow(request.copy(path = location, bodyBytes = 0), hops + 1)
        }

        private fun attempts(request: Request): PlainAnswer {
            val address = URI(request.path)
            if (address.isAbsolute) {
                return attempt(
                    connect(InetAddress.getByName(address.host), address.port),
                    request.copy(path = address.path),
                )
            }
            generateSequence { idle.pollFirst() }.firstOrNull(::isUsable)?.let { kept ->
                val repeats = if (request.method == "GET") misconduct !in NEVER_REPEAT else does(Misconduct.RepeatsPost)
                try {
                    return attempt(kept, request)
                } catch (e: IOException) {
                    if (over || !repeats) throw e
                }
            }
            return try {
                attempt(connect(), request)
            } catch (e: IOException) {
                if (over || !does(Misconduct.RepeatsFreshPost)) throw e
                attempt(connect(), request)
            }
        }

        private fun isUsable(kept: PlainConnection): Boolean {
            val looks = misconduct !in NEVER_LOOK
            if (!looks || !kept.isStale(keepAlive = !does(Misconduct.IgnoresKeepAlive))) return true
            kept.close()
            return false
        }

        private fun connect(): PlainConnection {
            val all = InetAddress.getAllByName(conditions.baseUrl.host)
            val addresses = if (does(Misconduct.TriesFirstAddressOnly)) all.take(1) else all.toList()
            addresses.dropLast(1).forEach { runCatching { return connect(it) } }
            return connect(addresses.last())
        }

        private fun connect(address: InetAddress, port: Int = conditions.baseUrl.port): PlainConnection {
            val made = PlainConnection(misconduct)
            connection = made
            connecting = true
            made.socket.connect(InetSocketAddress(address, port))
            if (conditions.protocol.tls) made.secure(conditions.baseUrl.host)
            connecting = false
            return made
        }

        private fun attempt(on: PlainConnection, request: Request): PlainAnswer {
            connection = on
            val answer = try {
                on.exchange(request, threads)
            } catch (e: IOException) {
                on.close()
                throw e
            }
            val drops = does(Misconduct.NeverReuses) || (does(Misconduct.DropsConnectionOfErrors) && answer.reply.status >= ERRORS)
            when {
                answer.keeps && !drops -> idle.addFirst(on)
                request.reading == Reading.Unread && does(Misconduct.HoldsUnread) -> LEAKED += on
                else -> on.close()
            }
            return answer
        }

        private fun timeOut(length: Long) {
            val shorter = WATCHED.filter { it.length < length }.maxOfOrNull { it.ends - System.nanoTime() } ?: 0
            if (shorter > 0 && does(Misconduct.WaitsForShorterTimeout)) {
                timer.schedule({ timeOut(length) }, shorter, TimeUnit.NANOSECONDS)
                return
            }
            val at = connection
            val ignores = when {
                does(Misconduct.NoTimeout) -> true
                at == null -> does(Misconduct.NoLookupTimeout)
                connecting -> does(Misconduct.NoConnectTimeout)
                at?.isWriting == true -> does(Misconduct.NoWriteTimeout)
                at?.isReadingBody == true -> does(Misconduct.NoTimeoutWithinAnswer)
                else -> false
            }
            if (ignores) return
            val keeps = does(Misconduct.KeepsConnectionAtTimeout) || does(Misconduct.UsesDeadConnection)
            fail(TimeoutException("no answer in time"), keeps)
            if (at != null && does(Misconduct.UsesDeadConnection)) idle.addFirst(at)
        }

        fun cancel(): Unit = fail(IOException("cancelled"), keep = does(Misconduct.KeepsConnectionAtCancellation))

        /** Ends this exchange for its caller with [because], and its connection unless that is to be kept. */
        fun fail(because: Exception, keep: Boolean = false) {
            if (synchronized(this) { caller } == null) return
            over = true
            if (!keep) connection?.close()
            end(Result.failure(because))
        }
    }

    /** A time-out of [length] in ms, which [ends] at that time of the process. */
    private class Watched(val length: Long, val ends: Long)

    private companion object {
        /** Of all sessions. */
        val WATCHED = CopyOnWriteArrayList<Watched>()

        /** A collection would close what nobody holds. */
        val LEAKED = CopyOnWriteArrayList<PlainConnection>()
        val CLOSED = AtomicInteger()
        const val A_MINUTE = 60_000L
        const val LONGER_THAN_PATIENCE = 6_000L
        const val MOST_HOPS = 5_000
        const val ERRORS = 400
        val FOLLOW = setOf(Misconduct.RedirectsForEver, Misconduct.RedirectsWithoutBody, Misconduct.SendsCredentialsElsewhere)
        val NEVER_REPEAT = setOf(Misconduct.FailsOnStaleGet, Misconduct.ReadsOnInNext)
        val NEVER_LOOK = setOf(
            Misconduct.FailsOnStaleGet,
            Misconduct.FailsOnStalePost,
            Misconduct.ReadsOnInNext,
            Misconduct.TakesUnasked,
            Misconduct.UsesDeadConnection,
        )
    }
}
