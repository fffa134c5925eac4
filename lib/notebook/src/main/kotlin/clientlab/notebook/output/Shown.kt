package clientlab.notebook.output

import org.jetbrains.kotlinx.jupyter.api.DisplayResult
import org.jetbrains.kotlinx.jupyter.api.Notebook

/** Something that knows how a notebook shows it, such as a panel of sliders. */
public interface Shown {
    public fun shown(): DisplayResult
}

/** The kernel that this library is loaded in. */
public object Kernel {
    /** The notebook that runs; null outside a kernel. */
    @Volatile public var notebook: Notebook? = null
        internal set
}
