package clientlab.probe

import jdk.jfr.Recording
import jdk.jfr.consumer.RecordedEvent
import jdk.jfr.consumer.RecordingFile
import java.time.Duration
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteIfExists

/** Waits during which a virtual thread kept its carrier, with the JVM's reasons, and how often one could not be handed to its scheduler. */
internal data class Pinning(val events: Int, val ms: Double, val submitFailures: Int, val reasons: Map<String, Int>)

/**
 * Records `jdk.VirtualThreadPinned` from its creation until [finish], for waits of any length (the JDK's own threshold is 20 ms). Flight
 * Recorder starts slowly and has its own threads and buffers, so start it before the clock runs, and in separate forks. Since JDK 24
 * `synchronized` no longer pins (JEP 491); a native frame or a class being initialized still does.
 */
internal class PinningProbe : AutoCloseable {
    private val recording = Recording().apply {
        enable(PINNED).withThreshold(Duration.ZERO).withoutStackTrace()
        enable(SUBMIT_FAILED).withoutStackTrace()
        start()
    }

    /** Stops the recording and reads it. */
    fun finish(): Pinning {
        recording.stop()
        val file = createTempFile("client-lab", ".jfr")
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

    /** The JDK gives it from 24 on. */
    private fun reason(event: RecordedEvent): String =
        (if (event.hasField(REASON)) event.getString(REASON) else null) ?: "no reason given"
}

private const val PINNED = "jdk.VirtualThreadPinned"
private const val SUBMIT_FAILED = "jdk.VirtualThreadSubmitFailed"
private const val REASON = "pinnedReason"
