package clientlab.notebook.run

import clientlab.notebook.output.*
import kotlinx.serialization.json.JsonPrimitive
import org.jetbrains.kotlinx.jupyter.api.KotlinKernelHost
import org.jetbrains.kotlinx.jupyter.api.MimeTypedResult
import org.jetbrains.kotlinx.jupyter.api.mimeResult
import java.nio.file.Path
import java.util.UUID
import kotlin.io.path.appendText
import kotlin.time.Duration

/** Shows a run's progress below its cell, in place. If `CLIENT_LAB_PROGRESS` names a file, it also appends the progress there. */
public object ProgressDisplay {
    /** The kernel's host while a cell runs; null outside a notebook. */
    @Volatile internal var host: KotlinKernelHost? = null

    /** A listener for one run. */
    public fun current(): ProgressListener {
        val cell = host?.let(::CellProgress)
        val file = System.getenv("CLIENT_LAB_PROGRESS")?.let { Path.of(it) }
        return ProgressListener { progress ->
            cell?.report(progress)
            // If the disk is full, the file lacks a line; the run must not end because of that.
            runCatching { file?.appendText(line(progress)) }
        }
    }

    /** One line of JSON, for a program that follows the file. */
    internal fun line(progress: Progress): String {
        val now = JsonPrimitive(progress.now.orEmpty())
        val left = progress.left.inWholeSeconds
        val most = if (progress.atMost) ",\"atMost\":true" else ""
        return "{\"done\":${progress.done},\"total\":${progress.total},\"treatment\":$now,\"leftSeconds\":$left$most}\n"
    }

    /** [progress] as the sentence below the cell. */
    public fun sentence(progress: Progress): String {
        val bad = if (progress.invalid > 0) ", ${progress.invalid} invalid (notes() says why)" else ""
        val done = "${progress.done} of ${if (progress.atMost) "at most " else ""}${progress.total} trials$bad"
        val name = progress.experiment
        val about = if (progress.atMost) "at most" else "about"
        return when {
            progress.stopped && !progress.begun -> "no trial has begun"
            progress.stopped -> "stopped after $done; lastRun(\"$name\") reads them, resume(\"$name\") goes on"
            progress.done == progress.total -> "${progress.total} trial${if (progress.total == 1) "" else "s"}$bad"
            else -> "$done · ${progress.now ?: "starting the server"} · $about ${spoken(progress.left)} left"
        }
    }

    private fun spoken(left: Duration): String =
        left.inWholeSeconds.let { seconds -> if (seconds < 90) "$seconds s" else "${(seconds + 30) / 60} min" }
}

private class CellProgress(private val host: KotlinKernelHost) : ProgressListener {
    private val id = "lab-${UUID.randomUUID()}"
    private var shown = false

    override fun report(progress: Progress) {
        if (shown) host.updateDisplay(picture(progress), id) else host.display(picture(progress), id)
        shown = true
    }

    private fun picture(progress: Progress): MimeTypedResult {
        val text = ProgressDisplay.sentence(progress)
        val bar = "<progress max=\"${progress.total}\" value=\"${progress.done}\" style=\"width:18em;vertical-align:middle\"></progress>"
        return mimeResult("text/html" to "$bar <span>${Html.escape(text)}</span>", "text/plain" to text)
    }
}
