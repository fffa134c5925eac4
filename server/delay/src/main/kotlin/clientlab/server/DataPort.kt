package clientlab.server

/** What all connections of a data port share; belongs to its one event loop. */
internal class DataPort(
    val routes: DataRoutes,
    val evidence: ServerEvidence,
    val maxInFlight: Int,
    val bytes: AnswerBytes = AnswerBytes(),
)
