package clientlab.workload

import clientlab.Treatment
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration

/** Tasks that wait, counted in bytes: the workload of source 003. */
@Serializable
@SerialName("residents")
public data class Residents(
    val tasks: List<Int> = listOf(1),
) : Workload {
    override val treatments: List<Treatment> get() = TODO()

    override fun smoke(): Residents = this

    override fun expected(treatment: Treatment): Duration = TODO()

    override val mostConnections: Int get() = 0
}
