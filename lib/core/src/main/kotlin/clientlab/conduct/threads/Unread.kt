package clientlab.conduct.threads

import clientlab.conduct.scene.*

/** It is timed, so it is not apart: another program beside it would take processor time from it. */
internal val unread = Situation(
    "threads.unread-upload",
    "In a program one upload of 16 MiB is under way, and the server does not read it. The processor time of the program is counted for two seconds.",
) {
    val server = serverThatReadsNoUpload()
    program(server, ProgramTask.WaitsForReader) { _, word ->
        val used = word.toDoubleOrNull()?.let { it / PROCESSOR_MS }
        when {
            server.requests.none { it.second.method == "POST" } -> Observed("not testable: the upload does not begin")

            used == null -> Observed("not testable: the upload is $word before its time is counted")

            used < LITTLE -> Observed("waits almost without processor time")

            used < MUCH -> Observed("takes some of a processor while it waits")

            else -> Observed(
                "keeps a processor busy while it waits",
                concern = "An upload takes a processor for as long as its server does not read.",
            )
        }
    }
}

/** Of a processor. */
private const val LITTLE = 0.1
private const val MUCH = 0.5
