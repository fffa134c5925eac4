package clientlab.notebook.fork

/** Says its arguments a line each and then what it hears, and ends when there is nothing more to hear. */
internal object EchoRun {
    @JvmStatic
    fun main(arguments: Array<String>) {
        arguments.forEach(::println)
        generateSequence(::readlnOrNull).forEach { println("heard $it") }
    }
}
