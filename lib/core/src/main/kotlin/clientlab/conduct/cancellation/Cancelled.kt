package clientlab.conduct.cancellation

import clientlab.conduct.scene.*

/** When the caller was free after the cancellation, in words; it is free at once if it does not wait for the answer. */
internal class Cancelled(val freeMs: Double?) {
    val isFree: Boolean get() = freeMs != null && freeMs <= AT_ONCE_MS

    val words: String get() = if (isFree) "the caller is free at once" else "the caller waits on"

    companion object {
        const val NOT_FREE: String = "The caller waits for an answer that it no longer wants."
        const val AT_ONCE_MS: Double = 150.0

        suspend fun of(call: Call): Cancelled {
            val before = call.ms
            call.cancel()
            val ending = call.end(within = SOON)
            return Cancelled((ending.ms - before).takeIf { !ending.pending })
        }
    }
}
