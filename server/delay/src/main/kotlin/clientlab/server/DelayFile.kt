package clientlab.server

import clientlab.server.request.*
import java.io.IOException
import java.nio.charset.MalformedInputException
import java.nio.file.Files
import java.nio.file.InvalidPathException
import java.nio.file.Path

/**
 * Reads a file of delays, one per line: seconds, or a time such as `250ms`. Blank lines and text behind a `#` are skipped.
 *
 * Throws [CannotStartException] with a sentence if it cannot. This is the only place where the server opens a file that a user named; it
 * happens before the first request.
 */
internal fun readDelays(option: String, file: String): LongArray {
    val lines = try {
        Files.readAllLines(Path.of(file))
    } catch (e: IOException) {
        val why = if (e is MalformedInputException) "it is not text" else "there is no such file, or it may not be read"
        throw CannotStartException("$option: ${quoted(file)} cannot be read ($why): give a file with one delay per line.", e)
    } catch (e: InvalidPathException) {
        throw CannotStartException("$option: ${quoted(file)} is not a file name: give a file with one delay per line.", e)
    }
    val values = ArrayList<Long>()
    lines.forEachIndexed { i, line ->
        val text = line.substringBefore('#').trim()
        if (text.isEmpty()) return@forEachIndexed
        val nanos = parseTime(text)
        if (nanos == NOT_SECONDS) {
            throw CannotStartException("$option: line ${i + 1} is ${quoted(text)}, and must be a delay: seconds, or a time such as 250ms.")
        }
        if (values.size ==
            MOST_VALUES
        ) {
            throw CannotStartException("$option: ${quoted(file)} has more than $MOST_VALUES delays: give fewer.")
        }
        values += nanos
    }
    if (values.isEmpty()) throw CannotStartException("$option: ${quoted(file)} has no delay in it: give a file with one delay per line.")
    return values.toLongArray()
}

private const val MOST_VALUES = 1_000_000
