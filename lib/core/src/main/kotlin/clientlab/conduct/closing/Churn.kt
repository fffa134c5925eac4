package clientlab.conduct.closing

import clientlab.conduct.scene.*
import clientlab.probe.*

internal val churn = Situation("closing.churn", "Thirty times the caller opens a session, sends one request and closes the session.") {
    val server = server {
        while (true) {
            receive()
            answer()
        }
    }
    repeat(WARM) { cycle(server) }
    val before = ProcessCounts.read()
    repeat(CYCLES) { cycle(server) }
    val left = ProcessCounts.settled(before, most = CYCLES / 2)
    val descriptors = left.descriptors - before.descriptors
    val threads = left.threads - before.threads
    val leaks = listOfNotNull(
        "descriptors".takeIf { descriptors > CYCLES / 2 },
        "threads".takeIf { threads > CYCLES / 2 },
    )
    Observed(if (leaks.isEmpty()) "leaves nothing behind" else "leaves ${leaks.joinToString(" and ")} behind")
        .concern("After $CYCLES cycles there are $descriptors descriptors and $threads threads more.", leaks.isNotEmpty())
}

internal suspend fun Scene.cycle(server: ScriptedServer) {
    val session = open(server)
    session.ask()
    closeOf(session).await(within = PATIENCE)
}

private const val WARM = 3
private const val CYCLES = 30
