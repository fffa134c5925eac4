package clientlab.articles.gateway

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

/** What a load of five seconds to a young gateway does not show: whether it survives a minute, and what a request costs it then. */
internal val ageClaims: List<Claim> = claims(NOTEBOOK) {
    claim("gateway.minute", "set before", "gateway-minute-2026-11")
        .says(
            "In 256 MiB gateways of Ktor CIO and of Retrofit on virtual threads survive a minute of 500 requests a second that wait 2 s " +
                "each, and those of Ktor Java do not.",
        ) { trials ->
            listOf("ktor-cio", "retrofit-virtual").map { trials.of(it).part("answers all", Bound(low = 1.0), "survived") } +
                trials.of("ktor-java").part("answers all", Bound(high = 0.0), "survived")
        }
    claim("gateway.steady", "at least 1.5, set before", "gateway-steady-2026-11")
        .says(
            "In 512 MiB a request takes a young gateway at least one and a half times the processor time that it takes a steady one, " +
                "without that of compilers and collector.",
        ) { trials ->
            trials.byTreatment().filter { it.start == Start.Warm.label }.map { young ->
                val steady = trials.of(young.client, Factor.START, Start.Steady.label)
                young.part("processor time, young / steady", Bound(low = 1.5), perRound(young.counted, steady.counted, "requestCpuMs"))
            }
        }
}
