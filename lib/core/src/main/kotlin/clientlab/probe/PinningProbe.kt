package clientlab.probe

import jdk.jfr.Recording
import jdk.jfr.consumer.RecordedEvent
import jdk.jfr.consumer.RecordingFile
import java.nio.file.Files
import java.time.Duration
import kotlin.io.path.deleteIfExists

/**
 * How often virtual threads were pinned, by what Java Flight Recorder wrote down.
 *
 * @property events waits during which a virtual thread kept its carrier.
 * @property ms their length in all, in milliseconds.
 * @property submitFailures how often a virtual thread could not be handed to its scheduler.
 * @property reasons why, as the JVM says it, by how often.
 */
public data class Pinning(
    val events: Int,
    val ms: Double,
    val submitFailures: Int,
    val reasons: Map<String, Int>,
)

/**
 * Records `jdk.VirtualThreadPinned` from when it is made until [finish], however short the wait (the JDK's own threshold is 20 ms).
 *
 * Flight Recorder starts in some tenths of a second and has threads and buffers of its own, so it is made before the clock runs, and in
 * forks of its own. Since JDK 24 `synchronized` no longer pins (JEP 491); a native frame or a class being initialized still does.
 */
public class PinningProbe : AutoCloseable {
    private val recording =
        Recording().apply {
            enable(PINNED).withThreshold(Duration.ZERO).withoutStackTrace()
            enable(SUBMIT_FAILED).withoutStackTrace()
            start()
        }

    /** Stops the recording and reads it. */
    public fun finish(): Pinning {
        recording.stop()
        val file = Files.createTempFile("client-lab", ".jfr")
        try {
            recording.dump(file)
            val events = RecordingFile.readAllEvents(file)
            val pinned = events.filter { it.eventType.name == PINNED }
            return Pinning(
                events = pinned.size,
                ms = pinned.sumOf { it.duration.toNanos() } / 1e6,
                submitFailures = events.count { it.eventType.name == SUBMIT_FAILED },
                reasons = pinned.groupingBy(::reason).eachCount(),
            )
        } finally {
            file.deleteIfExists()
        }
    }

    override fun close(): Unit = recording.close()

    /** The field is there from JDK 24 on. */
    private fun reason(event: RecordedEvent): String =
        if (event.hasField(REASON)) event.getString(REASON) ?: "no reason given" else "no reason given"

    private companion object {
        private const val PINNED = "jdk.VirtualThreadPinned"
        private const val SUBMIT_FAILED = "jdk.VirtualThreadSubmitFailed"
        private const val REASON = "pinnedReason"
    }
}
