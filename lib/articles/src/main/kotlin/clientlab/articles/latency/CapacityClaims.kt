package clientlab.articles.latency

import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*

private const val NOTEBOOK = "12-latency"
private const val CAPACITY = "capacity-2026-11"
private const val SCOPE = "In this set-up (two cores, delay 5 ms, steady forks)"

/** The claims about loads below the capacity that each fork found. Their bounds were set before the run. */
internal val capacityClaims: List<Claim> = claims(NOTEBOOK) {
    claim("capacity.half", "at most 10 ms, twice the delay, set before", CAPACITY)
        .says("$SCOPE a client that gets half of its capacity answers 99 % of the requests within twice the delay.") { trials ->
            trials.byTreatment().map { it.part("99th percentile at half of the capacity, in ms", Bound(high = 10.0), HALF_P99) }
        }
    claim("capacity.knee", "at least 2, set before", CAPACITY)
        .says("$SCOPE nine tenths of its capacity make the 99th percentile of a client at least twice that of half of it.") { trials ->
            trials.byTreatment().map {
                it.part("99th percentile, at nine tenths / at half", Bound(low = 2.0), it.ratios("nineTenthsLatencyP99Ms", HALF_P99))
            }
        }
    claim("capacity.generator", "1 ms at the 99th percentile, set before", CAPACITY)
        .says("$SCOPE at half of a client's capacity the generator is less than a millisecond late for 99 % of the requests.") { trials ->
            trials.byTreatment().map { it.part("generator's lateness, in ms", Bound(high = 1.0), "halfGeneratorLagP99Ms") }
        }
}

private const val HALF_P99 = "halfLatencyP99Ms"
