package clientlab.notebook.made

import java.util.Locale

/** Runs [check] under each locale that is known to break what formats by the machine's: Turkish letters, German commas, Arabic digits. */
internal fun underLocales(check: (Locale) -> Unit) {
    val before = Locale.getDefault()
    try {
        listOf("tr-TR", "de-DE", "ar-EG-u-nu-arab").map(Locale::forLanguageTag).forEach { locale ->
            Locale.setDefault(locale)
            check(locale)
        }
    } finally {
        Locale.setDefault(before)
    }
}
