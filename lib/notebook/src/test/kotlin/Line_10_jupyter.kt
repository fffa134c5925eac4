import clientlab.client.*

/** Another cell, with a client that counts its calls in an object. */
@Suppress("ClassName", "ktlint:standard:class-naming")
class Line_10_jupyter {
    object Counter {
        var calls = 0
    }

    fun ofCounting(): CellClient =
        blockingClient("counting") { url ->
            Counter.calls++
            url.toURL().openStream().use { it.readAllBytes() }
            200
        }
}
