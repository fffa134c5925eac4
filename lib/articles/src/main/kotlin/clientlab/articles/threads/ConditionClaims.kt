package clientlab.articles.threads

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val RUN = "threads-source-2026-11"
private const val CONDITIONS = "Over TLS, with a delay of 2 s, no warm-up, Ktor 2.3, Retrofit 2.9, and on Java 21 and 25"
private const val SECOND = 1_000.0
private val HOLD = listOf("retrofit@article:2.9.0", "ktor-okhttp:2.3.7")
private val HOLD_NONE = listOf("ktor-apache@article:2.3.7", "ktor-java@article:2.3.12", "ktor-cio@article:2.3.7")

/** What source 000 says, in its own conditions: it calls an address of `https`, its warm-up is commented out, and it is of 2024. */
internal val conditionClaims: List<Claim> = claims(NOTEBOOK, SOURCE) {
    claim("threads.source-held", "500 requests: 501 threads", RUN)
        .says("$CONDITIONS Retrofit and Ktor with OkHttp hold one platform thread for each request in flight.") { trials ->
            trials.onEachJava(HOLD).map { it.part("threads held / requests", Bound(0.98, 1.02), it.threadsPerRequest()) }
        }
    claim("threads.source-async", "5, 1 and 1", RUN)
        .says("$CONDITIONS Ktor with Apache, Java and CIO has a few unparked threads.") { trials ->
            trials.onEachJava(HOLD_NONE).map { it.part("new unparked threads", Bound(high = 10.0), it.values(UNPARKED)) }
        }
    claim("threads.source-cio", "11.1 s of 2 s", RUN)
        .says("$CONDITIONS Ktor CIO, as the article sets it, takes about five delays or more for 500 requests.") { trials ->
            trials.onEachJava(HOLD_NONE.takeLast(1)).map { it.part("time / delay", Bound(low = 4.9), it.timesInDelays()) }
        }
    about("threads.source-arrived", "threads are counted after 1 s", RUN)
        .says("$CONDITIONS all 500 requests have arrived at the server one second after the start.") { trials ->
            trials.onEachJava(HOLD + HOLD_NONE.dropLast(1)).map {
                it.part("ms until the server had all in flight", Bound(high = SECOND), it.values("snapshotAtMs"))
            }
        }
}

/** Each of [clients] on each Java of the run, the oldest first. */
private fun Trials<*>.onEachJava(clients: List<String>): List<TreatmentTrials> =
    clients.flatMap { client -> byTreatment().filter { it.client == client }.sortedBy { it[Factor.JAVA] } }

private fun TreatmentTrials.part(words: String, bound: Bound, values: List<Double>): Part =
    Part.median("$client on Java ${this[Factor.JAVA]}", words, bound, values)
