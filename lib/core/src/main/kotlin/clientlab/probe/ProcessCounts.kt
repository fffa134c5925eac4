package clientlab.probe

import kotlinx.coroutines.delay
import java.io.File
import kotlin.time.Duration.Companion.milliseconds

/** What this process holds. A system without `/proc` tells no descriptors. */
internal class ProcessCounts(val descriptors: Int, val threads: Int) {
    companion object {
        private const val LOOKS = 10
        private val BETWEEN = 100.milliseconds

        fun read(): ProcessCounts = ProcessCounts(File("/proc/self/fd").list()?.size ?: 0, ThreadProbe.liveCount())

        /** The counts when they fall no more, or after a second. */
        suspend fun settled(): ProcessCounts {
            var last = read()
            repeat(LOOKS) {
                delay(BETWEEN)
                val now = read()
                if (now.descriptors >= last.descriptors && now.threads >= last.threads) return now
                last = now
            }
            return last
        }

        /**
         * The counts when they are at most [most] above those [before], or after a second: a pool may take a moment to end. It asks for no
         * garbage collection, because what only a collection gives back is left behind until then.
         */
        suspend fun settled(before: ProcessCounts, most: Int): ProcessCounts {
            repeat(LOOKS) {
                val now = read()
                if (now.descriptors - before.descriptors <= most && now.threads - before.threads <= most) return now
                delay(BETWEEN)
            }
            return read()
        }
    }
}
