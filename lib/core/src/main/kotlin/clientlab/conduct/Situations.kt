package clientlab.conduct

import clientlab.conduct.answers.*
import clientlab.conduct.cancellation.*
import clientlab.conduct.closing.*
import clientlab.conduct.connections.*
import clientlab.conduct.http2.*
import clientlab.conduct.idle.*
import clientlab.conduct.memory.*
import clientlab.conduct.names.*
import clientlab.conduct.redirects.*
import clientlab.conduct.requests.*
import clientlab.conduct.retries.*
import clientlab.conduct.scene.*
import clientlab.conduct.threads.*
import clientlab.conduct.timeouts.*
import clientlab.conduct.tls.*
import clientlab.conduct.cancellation.connecting as cancelledConnecting
import clientlab.conduct.cancellation.queued as cancelledQueued
import clientlab.conduct.idle.closedGet as idleClosedGet
import clientlab.conduct.idle.closedPost as idleClosedPost
import clientlab.conduct.timeouts.connecting as timeoutConnecting
import clientlab.conduct.timeouts.queued as timeoutQueued

/**
 * Every situation, group by group, in the order in which a trial goes through them.
 *
 * To add one, write a file in the folder of its group, and its name in the list of the group.
 */
internal object Situations {
    val all: List<Situation> = listOf(
        listOf(noAnswer, halfAnswer, trickle, timeoutConnecting, timeoutQueued, beside, upload, slowCaller),
        listOf(waiting, reading, cancelledConnecting, cancelledQueued, next),
        listOf(idleClosedGet, idleClosedPost, arrivalGet, arrivalPost, halfOpen, keepAlive, unasked),
        listOf(closedGet, closedPost, resetGet, resetPost, unavailable, tooMany, requestTimeoutGet, requestTimeoutPost, refused),
        listOf(afterOk, afterNotFound, afterError, afterNoContent, afterChunks, afterUnread, afterPart),
        listOf(saysClose, http10, earlyAnswer, burst, atOnce, slowAmong, slowFirst, upgrade),
        listOf(short, cutChunks, cutHead, badChunk, twoLengths, notHttp, long),
        listOf(untilClose, noReason, earlyHints, chunks, trailers, largeHeader, endlessHeaders, gzip),
        listOf(foundGet, foundPost, temporaryPost, loop, credentials),
        listOf(refusing, dead, slowLookup, spread, moved),
        listOf(otherHost, expired, stranger, resumption),
        listOf(http2Reuse, goaway, goawayUnderWay, refusedGet, refusedPost, maxStreams, http2Cancelled, http2NoAnswer),
        listOf(http2HalfOpen, ping, http2Cut, http2Short, unreadStream),
        listOf(text),
        listOf(largeAnswer, largeRequest, heldAnswer),
        listOf(caller, nested, oneProcessor, uploads, unread, underWay, afterwards, churn, manyCycles, mainOpen, mainClosed),
    ).flatten()

    val groups: List<String> = all.map { it.group }.distinct()

    /** The one in which nothing goes wrong. */
    val plain: Situation = afterOk

    /** The same in HTTP/2. */
    val plainHttp2: Situation = http2Reuse

    /** Those of which a name, or the name of their group, is in [names]. */
    fun of(names: Collection<String>): List<Situation> = all.filter { it.id in names || it.group in names }

    /** The story of each situation, by its name. */
    val stories: Map<String, String> = all.associate { it.id to it.story }
}
