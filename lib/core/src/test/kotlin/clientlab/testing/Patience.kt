package clientlab.testing

import java.util.Locale
import java.util.concurrent.locks.LockSupport

private const val MOST_LOOKS = 30_000
private const val BETWEEN_LOOKS_NANOS = 1_000_000L

/** Looks again and again until [holds], a bounded number of times, and fails with what [seen] says. */
internal fun eventually(seen: () -> Any? = { "it never held" }, holds: () -> Boolean) {
    repeat(MOST_LOOKS) {
        if (holds()) return
        // Leaves the cores to those that are waited for.
        LockSupport.parkNanos(BETWEEN_LOOKS_NANOS)
    }
    throw AssertionError("Looked $MOST_LOOKS times: ${seen()}")
}

/** Runs [check] under default locales with other digits, other letter cases and other separators. */
internal fun underLocales(check: (Locale) -> Unit) {
    val before = Locale.getDefault()
    try {
        listOf("en-US", "tr-TR", "de-DE", "ar-EG-u-nu-arab").forEach { tag ->
            val locale = Locale.forLanguageTag(tag)
            Locale.setDefault(locale)
            check(locale)
        }
    } finally {
        Locale.setDefault(before)
    }
}

/** The text of a golden file, without its last line end. */
internal fun golden(name: String): String =
    checkNotNull(object {}.javaClass.getResource("/golden/$name")) { "There is no golden file $name." }.readText().removeSuffix("\n")
