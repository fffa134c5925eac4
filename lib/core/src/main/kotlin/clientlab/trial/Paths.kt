package clientlab.trial

import clientlab.*

/** The path of source 000's request: answered after [delayMs] milliseconds, with a number that makes it unique. */
public fun delayPath(delayMs: Long, number: Int): String = pathOf(Payload.Text, delayMs, number)

/** The path of a delayed answer with [payload]; source 004's request is answered with JSON. */
public fun pathOf(payload: Payload, delayMs: Long, number: Int): String =
    "/${if (payload == Payload.Json) "datetime" else "delay"}?delay=${delayMs / 1000.0}&a=$number"
