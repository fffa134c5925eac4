package clientlab.articles.loom

import clientlab.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTasks.forks

/** Every claim about executors in steady forks, against trials made by hand. */
class SteadyClaimsTest : HeldToTrials(steadyLoomClaims) {
    private fun aged(start: String, pool: Double, virtual: Double, cpu: Double): List<Trial> =
        listOf(
            forks("pool-processors", metrics = cpu(cpu)) { delay, _ -> pool + 100 * delay },
            forks("virtual", metrics = cpu(cpu)) { _, _ -> virtual },
        ).flatten()
            .map { it.copy(treatment = it.treatment.with(Factor.START, start), metrics = it.metrics + ("steady" to 1.0)) }

    private fun cpu(seconds: Double) = mapOf("clientCpuSeconds" to seconds)

    private val young = aged("warm", pool = 100.0, virtual = 350.0, cpu = 2.0)

    override val cases: Map<String, Case> =
        mapOf(
            "loom.age" to Case(
                young + aged("steady", pool = 50.0, virtual = 200.0, cpu = 1.0),
                young + aged("steady", pool = 50.0, virtual = 500.0, cpu = 1.0),
            ),
            "loom.cost" to Case(
                young + aged("steady", pool = 50.0, virtual = 200.0, cpu = 1.0),
                young + aged("steady", pool = 50.0, virtual = 200.0, cpu = 2.0),
            ),
        )
}
