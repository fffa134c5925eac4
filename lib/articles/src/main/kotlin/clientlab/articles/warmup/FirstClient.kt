package clientlab.articles.warmup

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private val ENGINES = listOf("ktor-okhttp", "ktor-apache5", "ktor-java", "ktor-cio")

/** The claim about the first client of a JVM. Its bound is what a user of Ktor has reported. */
internal val firstClientClaims: List<Claim> = claims("15-warmup") {
    claim("warmup.client", "at least 0.5 s, by ktorio/ktor#1474", "first-client-2026-11")
        .says(
            "In a fresh JVM the first client of Ktor takes at least 0.5 s until it has its first answer over TLS, with each engine.",
        ) { trials ->
            ENGINES.map { trials.of(it, Factor.PROTOCOL, Protocol.Https1.label) }.map {
                val seconds = it.values("openMs").zip(it.values("latencyMaxMs")) { made, answered -> (made + answered) / 1e3 }
                it.part("seconds until it is made and has its first answer", Bound(low = 0.5), seconds)
            }
        }
}
