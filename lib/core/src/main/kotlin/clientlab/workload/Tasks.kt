package clientlab.workload

import clientlab.Treatment
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration

/** Many short tasks, each of one or two calls: the workload of source 002. */
@Serializable
@SerialName("tasks")
public data class Tasks(
    val tasks: List<Int> = listOf(1),
) : Workload {
    override val treatments: List<Treatment> get() = TODO()

    override fun smoke(): Tasks = this

    override fun expected(treatment: Treatment): Duration = TODO()

    override val mostConnections: Int get() = 0
}
