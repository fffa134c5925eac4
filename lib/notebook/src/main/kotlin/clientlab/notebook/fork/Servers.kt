package clientlab.notebook.fork

/** The delay servers of a run: its [first], and one more for each further trial that is measured at the same time. */
internal class Servers(private val first: TrialServer) : AutoCloseable {
    private val running = mutableListOf(first)

    /** A server for each of [number] trials. One that has ended is replaced, and [noted] is told so. */
    fun take(number: Int, noted: (String) -> Unit): List<TrialServer> {
        while (running.size < number) running += first.again()
        running.forEachIndexed { place, server ->
            if (server.alive) return@forEachIndexed
            noted(server.gone)
            if (server !== first) server.close()
            running[place] = server.again()
        }
        return running.take(number)
    }

    /** Ends all but the first, which belongs to the run. */
    override fun close(): Unit = running.filter { it !== first }.forEach { it.close() }
}
