package clientlab.notebook.fork

/** Starts a delay server, says its process id, and lives until there is nothing more to hear. */
internal object ServerParentRun {
    @JvmStatic
    fun main(arguments: Array<String>) {
        ServerProcess.start().use { server ->
            println(server.pid)
            readlnOrNull()
        }
    }
}
