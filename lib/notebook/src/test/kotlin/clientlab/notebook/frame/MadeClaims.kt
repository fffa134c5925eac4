package clientlab.notebook.frame

import clientlab.burst.*
import clientlab.notebook.claim.*
import clientlab.notebook.stats.*

/** Claims as articles make them, for tests of a library that knows no article. */
internal object MadeClaims {
    /** That a client holds a thread for each request. */
    val blocking: Claim = blocking("made-2026-11")

    /** The same claim, resting on the published run [evidence]. */
    fun blocking(evidence: String): Claim =
        made("made.blocking", evidence) { trials ->
            trials.byTreatment().map { group ->
                Part.median(
                    "${group.client} at ${group.inFlight}, ${group.start}",
                    "threads held / requests",
                    Bound(0.98, 1.02),
                    group.values("threadsBlocked").map { it / group.inFlight },
                )
            }
        }

    /** That a larger pool changes nothing about the time. */
    val pool: Claim = made("made.pool") { trials ->
        fun times(client: String) = trials.byTreatment().first { it.client == client }.values("durationMs")
        val ratio = Bootstrap.ratio(times("okhttp@pool"), times("okhttp@default"))
        val floor = trials.ratioFloor(Burst::class, "durationMs")
        val peaks = trials.byTreatment().first { it.client == "okhttp@pool" }.values("inFlightPeak")
        listOf(
            Part("okhttp@pool", "time / time of okhttp@default", Bound(0.97, 1.03), ratio, floor),
            Part.median("okhttp@pool", "most in flight, as the server saw it", Bound(5.0, 5.0), peaks),
        )
    }

    private fun made(id: String, evidence: String = "made-2026-11", parts: (Trials<*>) -> List<Part>) =
        Claim(
            id = id,
            source = "a test",
            words = "Made for a test.",
            figure = "none",
            evidence = listOf(evidence),
            notebook = "none",
            parts = parts,
        )
}
