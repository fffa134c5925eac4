package clientlab.conduct.requests

import clientlab.client.*
import clientlab.conduct.scene.*

/** The first ones load classes and compile them, so the quickest says how long it takes. */
internal val text = Situation("requests.text", "The caller sends a text of four million letters, five times.") {
    val server = server { while (true) answer(if (receive().bodyBytes == LETTERS) OK else MISSING) }
    val session = open(server.url, timeout = PATIENCE)
    val letters = "a".repeat(LETTERS.toInt())
    val endings = List(TIMES) { session.start(Request("/", method = "POST", text = letters)).end() }
    when {
        endings.all { it.isAnswer() } -> Observed("sends it", endings.minOf { it.ms })
        endings.all { it.isAnswer(MISSING) } -> Observed("not supported: the adapter sends no text")
        else -> Observed(endings.first { !it.isAnswer() }.words)
    }
}

private const val LETTERS = 4_000_000L
private const val TIMES = 5
private const val OK = 200
private const val MISSING = 400
