package clientlab.notebook.fork

import java.util.concurrent.ConcurrentHashMap

/** The text of cells, by the class that each was compiled to; told by the integration, for a class does not know its source. */
internal object CellSources {
    private val texts = ConcurrentHashMap<String, String>()

    /** The text of the cell that runs now, whose class nobody has seen yet; null outside a notebook. */
    @Volatile var current: () -> String? = { null }

    /** Remembers that [text] became the class of [cell], the instance that the kernel made of it. */
    fun remember(cell: Any, text: String) {
        texts[cell.javaClass.name] = text
    }

    /** The text of the cell that [className] was compiled from, or null where it is not known. */
    fun of(className: String): String? = texts[className] ?: current()
}
