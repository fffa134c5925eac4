package clientlab.workload

import clientlab.Treatment
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration

/** Bytes moved from one place to another: the workload of source 001. */
@Serializable
@SerialName("transfer")
public data class Transfer(
    val tasks: List<Int> = listOf(1),
) : Workload {
    override val treatments: List<Treatment> get() = TODO()

    override fun smoke(): Transfer = this

    override fun expected(treatment: Treatment): Duration = TODO()

    override val mostConnections: Int get() = 0
}
