package clientlab.notebook.fork

import java.util.concurrent.ConcurrentHashMap

/** The text of cells by their compiled classes. The integration supplies it, because a class does not have its source. */
internal object CellSources {
    private val texts = ConcurrentHashMap<String, String>()

    /** The text of the running cell, whose class is not known yet; null outside a notebook. */
    @Volatile var current: () -> String? = { null }

    /** Remembers that [text] was compiled to the class of [cell], the kernel's instance. */
    fun remember(cell: Any, text: String) {
        texts[cell.javaClass.name] = text
    }

    /** The text of the cell that [className] was compiled from, or null if it is unknown. */
    fun of(className: String): String? = texts[className] ?: current()
}
