package clientlab.workload

import clientlab.Treatment
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration

/** Requests at planned times, whether or not those before have been answered: an open loop. */
@Serializable
@SerialName("rate")
public data class Rate(
    val tasks: List<Int> = listOf(1),
) : Workload {
    override val treatments: List<Treatment> get() = TODO()

    override fun smoke(): Rate = this

    override fun expected(treatment: Treatment): Duration = TODO()

    override val mostConnections: Int get() = 0
}
