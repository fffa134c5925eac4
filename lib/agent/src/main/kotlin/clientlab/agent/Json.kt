package clientlab.agent

/** JSON of maps, lists, numbers, booleans, texts and null. A library for it would have to live in the service too. */
internal object Json {
    fun of(value: Any?): String = StringBuilder().also { write(value, it) }.toString()

    private fun write(value: Any?, to: StringBuilder) {
        when (value) {
            null, is Number, is Boolean -> to.append(value)

            is Map<*, *> -> join(value.entries, '{', '}', to) { (name, each) ->
                text(name.toString(), to)
                to.append(':')
                write(each, to)
            }

            is Iterable<*> -> join(value, '[', ']', to) { write(it, to) }

            else -> text(value.toString(), to)
        }
    }

    private fun <T> join(all: Iterable<T>, open: Char, close: Char, to: StringBuilder, each: (T) -> Unit) {
        to.append(open)
        all.forEachIndexed { place, one ->
            if (place > 0) to.append(',')
            each(one)
        }
        to.append(close)
    }

    private fun text(text: String, to: StringBuilder) {
        to.append('"')
        for (letter in text) {
            when {
                letter == '"' || letter == '\\' -> to.append('\\').append(letter)
                letter < ' ' -> to.append("\\u").append(letter.code.toString(HEX).padStart(DIGITS, '0'))
                else -> to.append(letter)
            }
        }
        to.append('"')
    }

    private const val HEX = 16
    private const val DIGITS = 4
}
