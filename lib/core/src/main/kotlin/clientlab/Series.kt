package clientlab

import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.Serializable

/**
 * A load as a series of intervals of half a second: one column per quantity, one entry per interval. The first [warmUp] intervals belong to
 * the warm-up at the load's own rate, the others to the measured load. A value that could not be taken is null.
 *
 * @property seconds the length of each interval. The last one of a load is shorter.
 * @property answers right answers that came within the interval.
 * @property p50Ms latency of these answers, as the trial counts it: median. [p99Ms]: 99th percentile.
 * @property cpuMs processor time of the client's process by kind of thread: `client`, `harness`, `compilers`, `collector`, `other`.
 * @property allocatedKb allocated by Java threads, those of the harness included, in units of 1,000 bytes.
 * @property collections how often the collector ran.
 * @property compiledMethods methods in the code cache at the end of the interval.
 * @property connectionsOpened connections that the server accepted.
 * @property shape how the series behaves: `flat`, `warm-up`, `slowdown` or `no steady state` (E. Barrett et al., *Virtual machine warmup
 *   blows hot and cold*, 2017); null where it is too short to say.
 * @property steadyFrom the first interval from which on the series is steady; null where it is not.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
public data class Series(
    val warmUp: Int = 0,
    val seconds: List<Double> = emptyList(),
    val answers: List<Int> = emptyList(),
    val p50Ms: List<Double?> = emptyList(),
    val p99Ms: List<Double?> = emptyList(),
    val cpuMs: Map<String, List<Double>> = emptyMap(),
    val allocatedKb: List<Long?> = emptyList(),
    val collections: List<Int?> = emptyList(),
    val classesLoaded: List<Int?> = emptyList(),
    val compiledMethods: List<Int?> = emptyList(),
    val connectionsOpened: List<Int?> = emptyList(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val shape: String? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val steadyFrom: Int? = null,
) {
    val size: Int get() = seconds.size

    /** When each interval ends, in seconds since the series began. */
    public val endsAt: List<Double> get() = seconds.runningReduce(Double::plus)

    /** The client's processor time per answer in each interval, in ms; null where nothing was answered, or the system does not tell. */
    public val requestCpuMs: List<Double?>
        get() = cpuMs[CLIENT].orEmpty().zip(answers) { ms, answered -> if (answered == 0) null else ms / answered }

    /** How many processors each kind of thread kept busy in each interval. */
    public fun busy(kind: String): List<Double> = cpuMs[kind].orEmpty().zip(seconds) { ms, length -> ms / 1e3 / length }

    /** This series as the warm-up of [measured], which comes after it. */
    public fun before(measured: Series): Series = Series(
        warmUp = size,
        seconds = seconds + measured.seconds,
        answers = answers + measured.answers,
        p50Ms = p50Ms + measured.p50Ms,
        p99Ms = p99Ms + measured.p99Ms,
        cpuMs = (cpuMs.keys + measured.cpuMs.keys).associateWith { cpuMs[it].orEmpty() + measured.cpuMs[it].orEmpty() },
        allocatedKb = allocatedKb + measured.allocatedKb,
        collections = collections + measured.collections,
        classesLoaded = classesLoaded + measured.classesLoaded,
        compiledMethods = compiledMethods + measured.compiledMethods,
        connectionsOpened = connectionsOpened + measured.connectionsOpened,
    )

    public companion object {
        public const val CLIENT: String = "client"
        public const val COMPILERS: String = "compilers"
    }
}
