package clientlab.conduct.http2

import clientlab.conduct.scene.*

/** The caller no longer waits: what the server learns of that. */
internal val http2Cancelled = Situation("http2.cancelled", "The caller cancels a request that waits for its answer.") {
    val server = silent()
    val call = openHttp2(server).start()
    server.awaitRequests(1)
    call.cancel()
    val free = if (call.end(SOON).pending) "the caller waits on" else "the caller is free at once"
    val told = server.told()
    Observed("$free, ${words(told)}").concern(FOR_NOBODY, told == null)
}

internal val http2NoAnswer = Situation("http2.no-answer", "The server takes a request and never answers.") {
    val server = silent()
    val ending = openHttp2(server).ask()
    val told = server.told()
    val observed = ending.atTimeout(without = "A server that hangs holds the caller for ever.")
    observed.copy(fact = "${observed.fact}, ${words(told)}").concern(FOR_NOBODY, told == null)
}

private fun Scene.silent() = http2 { while (true) receive() }

private fun ScriptedServer.told() = await(SOON) { it.what is Seen.What.StreamReset || it.what is Seen.What.End }?.what

private fun words(told: Seen.What?) = when (told) {
    is Seen.What.StreamReset -> "the stream is reset"
    null -> "the server is not told"
    else -> "the connection is closed"
}

private const val FOR_NOBODY = "The server goes on with work that nobody wants."
