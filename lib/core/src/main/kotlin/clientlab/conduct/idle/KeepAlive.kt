package clientlab.conduct.idle

import clientlab.conduct.connections.*
import kotlin.time.Duration.Companion.milliseconds

internal val keepAlive = reuse(
    "idle.keep-alive",
    "The server says Keep-Alive: timeout=1. The caller sends another request after 1.2 s.",
    after = 1_200.milliseconds,
    mayReuse = false,
    standard = "The server may close it at the same moment; then the request fails.",
) { answer(200, "ok", "Keep-Alive: timeout=1") }
