package clientlab.clients.recipes

import java.nio.file.Path
import kotlin.io.path.readText

/** The recipes as a reader may copy them: the code of this package, which its tests run. */
internal object Recipes {
    /** The text of each of [files], which are in [folder], by the same key: without the package, and without `internal`. */
    fun read(folder: Path, files: Map<String, String>): Map<String, String> = files.mapValues { (_, file) ->
        folder
            .resolve(file)
            .readText()
            .substringAfter("\n")
            .replace("internal ", "")
            .trim()
    }
}
