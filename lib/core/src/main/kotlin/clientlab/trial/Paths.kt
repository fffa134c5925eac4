package clientlab.trial

import clientlab.*
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicReference

/** The path of source 000's request: answered after [delayMs] milliseconds, with a number that makes it unique. */
public fun delayPath(delayMs: Long, number: Int): String = "/delay?delay=${delayMs / 1000.0}&a=$number"

/** The path of source 004's request, answered with JSON. */
public fun datetimePath(delayMs: Long, number: Int): String = "/datetime?delay=${delayMs / 1000.0}&a=$number"

/** The path that answers with [payload]. */
public fun pathOf(payload: Payload, delayMs: Long, number: Int): String =
    if (payload == Payload.Json) datetimePath(delayMs, number) else delayPath(delayMs, number)
