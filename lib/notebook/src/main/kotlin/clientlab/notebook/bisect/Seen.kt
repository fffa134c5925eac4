package clientlab.notebook.bisect

import clientlab.*
import clientlab.notebook.home.*
import clientlab.workloads.*

/**
 * What one fork has shown, for the question of a bisection: `metric("batches") > 1`, or [fact] and [ms] where a situation was asked.
 *
 * @param named collects the metrics that are asked for, so that the answer has them with their intervals.
 */
public class Seen internal constructor(private val trial: Trial, private val named: MutableSet<String>) {
    /** The metric [name]. A fork in which it could not be taken gives no answer; a name that no workload writes is refused. */
    public fun metric(name: String): Double {
        refuseUnless(name in Metrics.names) { "There is no metric '$name': ${didYouMean(name, Metrics.names)}dictionary() lists all." }
        named += name
        return trial.metrics[name] ?: throw NotSeen("this fork has no $name")
    }

    /** What the client did in the situation that was asked, in words. */
    public val fact: String get() = only.fact

    /** Why a reader should look at it; empty if it is no concern. */
    public val concern: String get() = only.concern

    /** How long that took. A fork in which the time says nothing gives no answer. */
    public val ms: Double
        get() {
            named += MS
            return only.ms ?: throw NotSeen("no time says anything of it")
        }

    private val only get() = trial.observations.singleOrNull() ?: throw NotSeen("this fork was not asked for one situation")

    internal companion object {
        const val MS = "ms"
    }
}

/** That a fork cannot answer. */
internal class NotSeen(why: String) : Exception(why)
