package clientlab.notebook.frame

/**
 * The rows of a comma-separated resource [file] beside this class, each by the names of its first line: what a source prints, word for word.
 *
 * No cell has a comma or quotes; an empty cell is an empty text.
 */
public fun Class<*>.sourceFigures(file: String): List<Map<String, String>> {
    val lines = checkNotNull(getResource(file)) { "This build has no $file." }.readText().trim().lines()
    val names = lines.first().split(',')
    return lines.drop(1).map { line -> names.zip(line.split(',')).toMap() }
}
