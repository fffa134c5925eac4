package clientlab.server.request

import clientlab.server.answer.Answer

/**
 * A request that has arrived, with the answer it is to have.
 *
 * @property connection what the answer's header of that name says, or null to leave it out.
 * @property arrivedAt when it had been read, in `System.nanoTime()`; [dueAt] when its answer may be written at the earliest.
 * @property isHeld whether it counts as in flight.
 * @property row its row in the table of requests.
 */
internal class Exchange(
    val answer: Answer,
    val connection: String?,
    val arrivedAt: Long,
    val dueAt: Long,
    val isHeld: Boolean,
    val row: Long,
) {
    val isLast: Boolean get() = connection == "close"
}
